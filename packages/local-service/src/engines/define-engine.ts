import type { OptionTable, OptionValues } from '../config/option.ts'
import type { Engine } from './engine.ts'

/** An engine as the registry lists it. */
export interface EngineDefinition<Options extends OptionTable = OptionTable> {
  /** Also the name of its folder. */
  name: string
  /** Options that the engine adds to the service: to its types, the command line, the environment and `--help`. */
  options: Options
  /** @returns `undefined` if the engine is not configured or not installed, or if it is optional and fails to start. */
  start(context: EngineContext<Options>): Promise<Engine | undefined> | undefined
}

/** The settings with which an engine starts. */
export interface EngineContext<Options extends OptionTable = OptionTable> {
  /** The values of the engine's own options only. */
  options: OptionValues<Options>
  /** Packages of optional engines are searched for in these two folders too. Default: none. */
  enginesFolder?: string
  dataFolder?: string
  /** Receives problems that the service can work without, such as a damaged model. */
  warn(message: string): void
}

/** Infers the types of the options. */
export function defineEngine<const Options extends OptionTable>(
  definition: EngineDefinition<Options>,
): EngineDefinition<Options> {
  return definition
}
