#!/bin/sh
# Registers the namespace and the search attributes of runs; what is there is left as it is. TEMPORAL_ADDRESS says where.
set -eu

temporal="${TEMPORAL_CLI:-temporal}"
namespace="$TEMPORAL_NAMESPACE"

tries=0
until "$temporal" operator cluster health >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -ge 60 ]; then
    echo "The Temporal server at $TEMPORAL_ADDRESS does not answer." >&2
    exit 1
  fi
  sleep 1
done

if ! "$temporal" operator namespace describe --namespace "$namespace" >/dev/null 2>&1; then
  "$temporal" operator namespace create --namespace "$namespace" --retention "$TEMPORAL_NAMESPACE_RETENTION"
fi

# As src/workflows/search-attributes.ts has them; a name that is there with the same type is no error.
tries=0
until "$temporal" operator search-attribute create --namespace "$namespace" \
  --name ColligateKind --type Keyword \
  --name ColligateStatus --type Keyword \
  --name ColligatePass --type Int \
  --name ColligateCitations --type Int \
  --name ColligateScore --type Double \
  --name ColligateSchedule --type Keyword; do
  # A namespace is known to all parts of the server some seconds after it was made.
  tries=$((tries + 1))
  if [ "$tries" -ge 30 ]; then exit 1; fi
  sleep 1
done
