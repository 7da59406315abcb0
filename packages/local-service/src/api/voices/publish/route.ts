import { ServiceError } from '../../../errors.ts'
import type { Endpoint } from '../../endpoint.ts'
import { publishVoiceOperation } from './operation.ts'

export const publishVoice: Endpoint = {
  operation: publishVoiceOperation,
  createHandler: () => () => {
    const message =
      'There is nothing to publish here: a cloned voice stays until it is deleted, and PATCH changes its texts'
    throw new ServiceError('UNIMPLEMENTED', message)
  },
}
