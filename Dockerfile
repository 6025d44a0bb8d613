# The command line of Colligate, which is its worker too. The SDK of Temporal has no build for musl: no Alpine.
FROM node:22.21.1-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
# Installs the locked packages and leaves dist/ with the workflows in one bundle.
RUN --mount=type=cache,target=/root/.npm npm run build
RUN npm prune --omit=dev
# What the encoder runs on comes for every system at once.
RUN cd node_modules/onnxruntime-node/bin/napi-v6 && rm -rf darwin win32 \
  && find linux -mindepth 1 -maxdepth 1 ! -name "$(node -p process.arch)" -exec rm -rf {} +

FROM node:22.21.1-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY examples ./examples
COPY templates ./templates
COPY LICENSE ./
# Where sources are read and reports written; the user of the image owns it.
RUN mkdir /work && chown node:node /work
USER node
WORKDIR /work
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
CMD ["worker"]
