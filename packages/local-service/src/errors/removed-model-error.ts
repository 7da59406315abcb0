import { EngineError } from './engine-error.ts'
import { ServiceError } from './service-error.ts'

/**
 * The error of a request for a model that was removed while the service ran.
 * @param name such as `The voice anna`. @param other what to choose another one of, in a sentence.
 */
export function removedModelError(name: string, other: string): EngineError {
  const message = `${name} was removed from this machine. Choose another ${other}, or install it again`
  return new EngineError('unavailable', message, {
    response: new ServiceError('NOT_FOUND', message),
  })
}
