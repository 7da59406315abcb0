import { ServiceError } from '../../../errors.ts'
import type { Endpoint } from '../../endpoint.ts'
import { designVoiceOperation } from './operation.ts'

export const designVoice: Endpoint = {
  operation: designVoiceOperation,
  createHandler: () => () => {
    const message =
      'This service cannot design voices: choose one that GET /voices/v1/voices lists, or clone one with POST /voices/v1/voices:clone'
    throw new ServiceError('UNIMPLEMENTED', message)
  },
}
