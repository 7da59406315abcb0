import { RecordingError } from '@parlando/core/audio'
import type { NodeAPI } from 'node-red'
import { NodeInputError, NodeLimitError } from '../runtime/failure.ts'
import { sharedText } from '../runtime/texts.ts'
import type { SoundLimitError } from './sound.ts'

/** Gives the errors of sounds their texts in the language of Node-RED. @returns any other error itself. */
export function withText(RED: Pick<NodeAPI, '_'>, error: unknown): unknown {
  // `instanceof` does not work here: the bundle of each node contains its own copy of the class.
  const { limit } = (error ?? {}) as Partial<SoundLimitError>
  if (limit === 'too-much-waiting' || limit === 'start-gone')
    return new NodeLimitError(sharedText(RED, `sound.limit.${limit}`), { cause: error })
  if (!RecordingError.isInstance(error)) return error
  const text = sharedText(RED, `sound.problem.${error.problem}`, error.values)
  return new NodeInputError(text, { cause: error })
}
