/** Why a model cannot be listed, installed or used. */
export type ModelErrorCode =
  | 'UNKNOWN_MODEL'
  | 'ALREADY_INSTALLED'
  | 'NOT_INSTALLED'
  | 'NOT_DELETED'
  | 'BUSY'
  | 'NO_SPACE'
  | 'NOT_WRITTEN'
  | 'DOWNLOAD_FAILED'
  | 'WRONG_CHECKSUM'
  | 'DAMAGED'
  | 'INCOMPLETE'
  | 'LOAD_FAILED'
  | 'ADDON_FAILED'

/** An error whose message says what to do, in words for users. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode

  constructor(code: ModelErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
