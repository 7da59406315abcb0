import type { OptionTable, OptionValues } from '../config/option.ts'
import type { Recogniser } from './recogniser.ts'

/** A recogniser as the registry lists it. */
export interface RecogniserDefinition<Options extends OptionTable = OptionTable> {
  /** Also the name of its folder. */
  name: string
  /** Options that the recogniser adds to the service: to its types, the command line, the environment and `--help`. */
  options: Options
  /** @returns `undefined` if the recogniser is not configured, not installed or does not start. */
  start(context: RecogniserContext<Options>): Promise<Recogniser | undefined> | undefined
}

/** The settings with which a recogniser starts. */
export interface RecogniserContext<Options extends OptionTable = OptionTable> {
  /** The values of the recogniser's own options only. */
  options: OptionValues<Options>
  /** Packages of optional recognisers are searched for in these two folders too. Default: none. */
  enginesFolder?: string
  dataFolder?: string
  /** Receives problems that the service can work without. They contain nothing that was said. */
  warn(message: string): void
}

/** Infers the types of the options. */
export function defineRecogniser<const Options extends OptionTable>(
  definition: RecogniserDefinition<Options>,
): RecogniserDefinition<Options> {
  return definition
}
