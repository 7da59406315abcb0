import { type Definition, pickOptions, type StartContext } from './definitions.ts'

/** A running part of the service: a recogniser or a detector. */
interface Part {
  readonly name: string
  close(): Promise<void>
}

export interface PartStartOptions extends Omit<StartContext, 'options'> {
  /** The values of the options of all parts. */
  [option: string]: unknown
}

/**
 * Starts the parts that are configured and installed. One that does not start is reported and left out.
 * @returns the parts by name, in the order of the definitions.
 */
export async function startParts<Running extends Part>(
  definitions: readonly Definition<Running>[],
  options: PartStartOptions,
): Promise<Map<string, Running>> {
  const starts = definitions.map((definition) => startPart(definition, options))
  const parts = (await Promise.all(starts)).flatMap((part) => part ?? [])
  return new Map(parts.map((part) => [part.name, part]))
}

async function startPart<Running extends Part>(
  definition: Definition<Running>,
  options: PartStartOptions,
): Promise<Running | undefined> {
  try {
    return await definition.start({ ...options, options: pickOptions(definition, options) })
  } catch (error) {
    options.warn(`${definition.name} does not start: ${(error as Error).message}`)
    return undefined
  }
}

/** Offers models that were installed since the start, and no longer those that were removed. */
export async function refreshParts<Running extends Part>(
  definitions: readonly Definition<Running>[],
  parts: Map<string, Running>,
  options: PartStartOptions,
): Promise<void> {
  for (const definition of definitions) {
    const { name, refresh } = definition
    const current = parts.get(name)
    if (!refresh) continue
    if (current) await refresh(current)
    else {
      const started = await startPart(definition, options)
      if (started) setInOrder(definitions, parts, started)
    }
  }
}

function setInOrder<Running extends Part>(
  definitions: readonly Definition<Running>[],
  parts: Map<string, Running>,
  added: Running,
): void {
  const all = new Map(parts).set(added.name, added)
  parts.clear()
  for (const { name } of definitions) {
    const part = all.get(name)
    if (part) parts.set(name, part)
  }
}

export async function closeParts(parts: ReadonlyMap<string, Part>): Promise<void> {
  await Promise.all([...parts.values()].map((part) => part.close()))
}
