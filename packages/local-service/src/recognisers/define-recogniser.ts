import type { Definition } from '../config/definitions.ts'
import type { OptionTable } from '../config/option.ts'
import type { Recogniser } from './recogniser.ts'

/** A recogniser as the registry lists it. */
export type RecogniserDefinition<Options extends OptionTable = OptionTable> = Definition<
  Recogniser,
  Options
>

/** Infers the types of the options. */
export function defineRecogniser<const Options extends OptionTable>(
  definition: RecogniserDefinition<Options>,
): RecogniserDefinition<Options> {
  return definition
}
