import type { OptionTable } from '../config/option.ts'
import type { PartDefinition } from '../part-registry/part-definition.ts'
import type { Engine } from './engine.ts'

/** An engine as the registry lists it. */
export type EngineDefinition<Options extends OptionTable = OptionTable> = PartDefinition<
  Engine,
  Options
>

/** Infers the types of the options. */
export function defineEngine<const Options extends OptionTable>(
  definition: EngineDefinition<Options>,
): EngineDefinition<Options> {
  return definition
}
