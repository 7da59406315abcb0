import { runAll } from '../concurrency/close-stack.ts'
import { type PartDefinition, pickOptions, type StartContext } from './part-definition.ts'

/** The parts of one kind, such as all recognisers, of which some run. */
export interface PartKind<Running> {
  /** The definitions, in the order in which they are preferred. */
  definitions: readonly PartDefinition<Running>[]
  /** Whether the service does not start without a part that fails. Default: it is reported and left out. */
  isRequired?: boolean
  close(part: Running): Promise<void>
}

export interface PartStartOptions extends Omit<StartContext, 'options'> {
  /** The values of the options of all parts. */
  [option: string]: unknown
}

/**
 * Starts the parts that are configured and installed.
 * @returns the parts by name, in the order of the definitions.
 * @throws {Error} if a part that is required does not start. The others are closed.
 */
export async function startParts<Running>(
  kind: PartKind<Running>,
  options: PartStartOptions,
): Promise<Map<string, Running>> {
  const starts = await Promise.allSettled(
    kind.definitions.map(async (definition) => {
      const part = await startPart(definition, kind, options)
      return part && ([definition.name, part] as const)
    }),
  )
  const parts = new Map(
    starts.flatMap((start) => (start.status === 'fulfilled' && start.value ? [start.value] : [])),
  )
  const failed = starts.find(({ status }) => status === 'rejected')
  if (!failed) return parts
  await closeParts(kind, parts)
  throw (failed as PromiseRejectedResult).reason
}

async function startPart<Running>(
  definition: PartDefinition<Running>,
  { isRequired }: PartKind<Running>,
  { enginesFolder, dataFolder, warn, ...values }: PartStartOptions,
): Promise<Running | undefined> {
  try {
    const options = pickOptions(definition, values)
    return await definition.start({ options, enginesFolder, dataFolder, warn })
  } catch (error) {
    if (isRequired) throw error
    warn(`${definition.name} does not start: ${(error as Error).message}`)
    return undefined
  }
}

/**
 * Offers models that were installed since the start, and no longer those that were removed. A part that fails does not keep the
 * others from that.
 * @throws the first failure of a part.
 */
export async function refreshParts<Running>(
  kind: PartKind<Running>,
  parts: Map<string, Running>,
  options: PartStartOptions,
): Promise<void> {
  const refreshes = kind.definitions.map((definition) => async () => {
    if (!definition.refresh) return
    const current = parts.get(definition.name)
    if (current) await definition.refresh(current)
    else addInOrder(kind, parts, definition.name, await startPart(definition, kind, options))
  })
  // One after the other, because a model can take a gigabyte of memory while it loads.
  await runAll(refreshes)
}

function addInOrder<Running>(
  { definitions }: PartKind<Running>,
  parts: Map<string, Running>,
  added: string,
  started: Running | undefined,
): void {
  if (!started) return
  const all = new Map(parts).set(added, started)
  parts.clear()
  for (const { name } of definitions) {
    const part = all.get(name)
    if (part) parts.set(name, part)
  }
}

export async function closeParts<Running>(
  { close }: Pick<PartKind<Running>, 'close'>,
  parts: ReadonlyMap<string, Running>,
): Promise<void> {
  await Promise.all([...parts.values()].map(close))
}
