import { errorCode } from './error-code';
import { errorMessage } from './error-message';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file has reached the size that the system allows',
  EACCES: 'that is not allowed to this user',
  EPERM: 'that is not allowed to this user',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'something else than a folder has its name, or that of a folder above it',
  EEXIST: 'something else than a folder has its name, or that of a folder above it',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
};

export function diskReason(error: unknown): string {
  return REASONS[errorCode(error) ?? ''] ?? errorMessage(error);
}
