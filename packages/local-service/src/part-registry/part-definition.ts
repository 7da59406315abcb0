import type { OptionTable, OptionValues } from '../config/option.ts'

/** A part of the service that its registry starts if it is configured: an engine, a recogniser or a wake word detector. */
export interface PartDefinition<Part, Options extends OptionTable = OptionTable> {
  /** The name of the part, and of its folder. */
  name: string
  /** Options that it adds to the service: to its types, the command line, the environment and `--help`. */
  options: Options
  /** @returns `undefined` if it is not configured or not installed, or if it is optional and does not start. */
  start(context: StartContext<Options>): Promise<Part | undefined> | undefined
  /**
   * Offers models that were installed since the start, and no longer those that were removed. A part that does not run is
   * started instead: it may have its first model. Default: the part reads no models from folders.
   */
  refresh?(part: Part): Promise<void>
}

/** The settings with which a part starts. */
export interface StartContext<Options extends OptionTable = OptionTable> {
  /** The values of its own options only. */
  options: OptionValues<Options>
  /** Optional packages are searched for in these two folders too. Default: none. */
  enginesFolder?: string
  dataFolder?: string
  /**
   * Receives problems that the service can work without, such as a damaged model. They contain no text that was spoken
   * or recognised.
   */
  warn(message: string): void
}

type WithOptions = Pick<PartDefinition<unknown>, 'options'>

/** The options of all definitions in one table. */
export function joinOptions<const Definitions extends readonly WithOptions[]>(
  definitions: Definitions,
): Intersection<Definitions[number]['options']> {
  return Object.assign({}, ...definitions.map(({ options }) => options))
}

type Intersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer Result,
) => void
  ? Result
  : never

/** The values of the options of one definition, out of those of the service. */
export function pickOptions<Options extends OptionTable>(
  { options }: { options: Options },
  values: { readonly [Name in keyof Options]?: unknown },
): OptionValues<Options> {
  const picked = Object.keys(options).map((name) => [name, values[name]])
  return Object.fromEntries(picked) as OptionValues<Options>
}
