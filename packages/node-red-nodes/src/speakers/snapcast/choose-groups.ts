import type { ServerState, SnapcastGroup, SnapcastStream } from './server-state.ts'

/** The groups that hear a source, and those among them whose stream must change for that. */
export interface ChosenGroups {
  groups: readonly SnapcastGroup[]
  switched: readonly SnapcastGroup[]
  /** Whether a meta stream must first notice that the source is active. */
  isMeta: boolean
}

/**
 * Groups that play the source, or a meta stream that contains it, hear it as they are. If there are none, all groups change
 * their stream.
 */
export function chooseGroups(
  { streams, groups }: ServerState,
  source: SnapcastStream,
): ChosenGroups {
  const inMeta = streams.filter(({ members }) => members.includes(source.id)).map(({ id }) => id)
  const connected = groups.filter(({ clients }) => clients > 0)
  const hearing = connected.filter(({ streamId }) => [source.id, ...inMeta].includes(streamId))
  if (hearing.length === 0) return { groups: connected, switched: connected, isMeta: false }
  return {
    groups: hearing,
    switched: [],
    isMeta: hearing.some(({ streamId }) => inMeta.includes(streamId)),
  }
}
