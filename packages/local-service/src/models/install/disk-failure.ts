import { ModelError } from '../catalogue/model-error.ts'

const full = ['ENOSPC', 'EDQUOT']
/** Unlike `EEXIST`, `EISDIR` and `ENOTDIR`, which the entries of a damaged archive cause. */
const denied = ['EACCES', 'EPERM', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM']

/** @returns the error of an installation or a removal that the disk or the system has ended; nothing if neither is the reason. */
export function toDiskFailure(error: unknown): ModelError | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (full.includes(code)) {
    return new ModelError(
      'NO_SPACE',
      'The disk is full. Free some space and try again; what has arrived is kept',
    )
  }
  if (!denied.includes(code)) return undefined
  return new ModelError(
    'NOT_WRITTEN',
    `The folder of the models cannot be written (${message}). Check the folder and its disk, and try again; what has arrived is kept`,
  )
}

/** @throws {ModelError} if the disk or the system is the reason of the error, and otherwise the error. */
export function throwDiskFailure(error: unknown): never {
  throw toDiskFailure(error) ?? error
}
