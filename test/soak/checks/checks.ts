import { nodeNames, services } from '../flow/nodes.ts'
import { faultsFor } from '../load/faults.ts'
import type { ResourceUsage } from '../programs/channel.ts'
import { type Outcome, watched } from '../soak.ts'
import { type Figure, figures, slopeOf } from './memory.ts'

/** A condition that must hold at the end of every soak. */
export interface Check {
  /** The condition, as a sentence. */
  statement: string
  /** @returns one line for each violation. */
  problems(outcome: Outcome): string[]
}

/** The error codes that this load may cause, with the reason. */
const expectedFailures: Record<string, string> = {
  INVALID_INPUT: 'the message has no text',
  INVALID_ARGUMENT: 'unknown model, or unsupported sample rate',
  DEADLINE_EXCEEDED: 'a conversation whose client was silent has made room for another',
  NOT_FOUND: 'unknown voice, or another flow deleted it',
  NOT_REACHABLE: 'the service is not running',
  CONNECTION_LOST: 'the test killed the service',
  UNAVAILABLE: 'the service is shutting down',
  RESOURCE_EXHAUSTED: 'many clones at once',
  FAILED_PRECONDITION: 'Redis is away, and a voice cannot be saved or deleted',
  NO_PLAYER: 'a deploy has disconnected the page of a speaker',
  SPEAKER_NOT_REACHABLE:
    'MPD catches up without a sound device if the machine was busy: it ends too early',
  OUT_OF_RANGE: 'twenty texts wait to be read aloud',
}

/** The test killed the service during its start. */
const killedAtStart = /The speech service of this device did not start/
/** The test killed all threads of a service. A recording cannot be read a second time; a phrase is spoken again. */
const killedThread = /The thread that decodes a recording has ended/

export const checks: Check[] = [
  {
    statement: 'No process has an unhandled rejection, an uncaught exception or a warning',
    problems: ({ ending }) =>
      ending.incidents.map(({ role, kind, text }) => `${role}, ${kind}: ${text}`),
  },
  {
    statement: 'No log contains an error or a warning',
    problems: ({ ending }) =>
      ending.badLines.filter((line) => !killedAtStart.test(line) && !killedThread.test(line)),
  },
  {
    statement: 'Every message that a node receives is done',
    problems: ({ messages }) => messages.lost,
  },
  {
    statement: 'No message is done twice, and no node sends after done',
    problems: ({ messages }) => messages.duplicates,
  },
  {
    statement: 'Every failure reaches Catch exactly once',
    problems: ({ messages }) => messages.notCaughtOnce,
  },
  {
    statement: 'Every failure has an expected error code',
    problems: ({ messages }) =>
      Object.keys(messages.failed).filter(
        (failure) => !(failure in expectedFailures || killedAtStart.test(failure)),
      ),
  },
  {
    statement: 'Every response and utterance is complete, failed or stopped, and only one of these',
    problems: ({ messages }) => messages.incomplete,
  },
  {
    statement:
      'Every complete utterance has all parts in order, a plausible length, and the same bytes for the same request',
    problems: ({ messages }) => messages.wrong,
  },
  {
    statement:
      'At rest, no process has more sockets and child processes than it keeps for the next use',
    problems: ({ usageAtEnd, hasStore }) =>
      Object.entries(usageAtEnd).flatMap(([role, usage]) => problemsAtRest(role, usage, hasStore)),
  },
  {
    statement: 'At rest, no process has more timers or listeners than after the warm-up',
    problems: ({ usageAtStart, usageAtEnd }) =>
      watched.flatMap((role) =>
        (['timers', 'listeners'] as const).flatMap((what) => {
          const [before = 0, after = 0] = [usageAtStart[role]?.[what], usageAtEnd[role]?.[what]]
          return after > before ? [`${role} has ${after} ${what}; it had ${before}`] : []
        }),
      ),
  },
  {
    statement: 'All programs exit cleanly and leave no process and no file',
    problems: ({ ending }) => [
      ...ending.badExits,
      ...ending.leftoverProcesses.map((role) => `${role} still runs`),
      ...ending.leftoverFiles,
    ],
  },
  ...watched.flatMap((role) =>
    (Object.keys(figures) as Figure[]).map((figure) => ({
      statement: `The memory of ${role} does not grow: ${figure}`,
      problems({ samples }: Outcome) {
        const { kibPerMinute, limitKibPerMinute } = slopeOf(samples[role]!, figure)
        if (kibPerMinute <= limitKibPerMinute) return []
        return [`${kibPerMinute} KiB per minute; the limit is ${limitKibPerMinute}`]
      },
    })),
  ),
  {
    statement: 'Every kind of node has completed a message',
    problems: ({ messages }) => {
      const atWork = Object.keys(messages.completedBy)
      return nodeNames.filter((name) => !atWork.some((node) => node.endsWith(`-${name}`)))
    },
  },
  {
    statement: 'Every conversation has two responses, and some are interrupted',
    problems: ({ actions }) => {
      const failed = Object.keys(actions).filter((action) => action.startsWith('failed conv'))
      const isInterrupted = actions['conversations with an interruption'] !== undefined
      return [...failed, ...(isInterrupted ? [] : ['no response was interrupted'])]
    },
  },
  {
    statement: 'No microphone that waits for a wake word fails, and some find it',
    problems: ({ actions }) => {
      const failed = Object.keys(actions).filter((action) => action.startsWith('failed wake'))
      return [...failed, ...(actions['wake words found'] ? [] : ['no wake word was found'])]
    },
  },
  {
    statement: 'Questions are answered by voice and by button',
    problems: ({ messages: { answers } }) => ['voice', 'button'].filter((by) => !answers[by]),
  },
  {
    statement: 'Every fault has occurred',
    problems: ({ hasStore, faults }) =>
      Object.keys(faultsFor(hasStore)).filter((name) => !faults[name]),
  },
]

/** Connections to Redis: for sound, and the budget; for sound, voices, jobs, their queue, and to wait for a turn. */
const socketsToStore: Record<string, number> = { 'node-red': 2, hosted: 5, steady: 5 }

function problemsAtRest(
  role: string,
  usage: ResourceUsage | undefined,
  hasStore: boolean,
): string[] {
  if (!usage) return [`${role} does not run`]
  const isNodeRed = role === 'node-red'
  // The speak nodes of a service share a socket for the sentences of responses. It stays open for the next response. Each service
  // has a page, and they share MPD.
  const maxSockets =
    (isNodeRed ? 2 * services.length + 1 : 1) + (hasStore ? (socketsToStore[role] ?? 0) : 0)
  // The service of this device always runs. A recogniser and a wake word detector run for ten minutes after their last use.
  const [minChildren, maxChildren] = isNodeRed ? [1, 1] : [0, 2]
  const { sockets, children } = usage
  return [
    ...(sockets > maxSockets ? [`${role} has ${sockets} sockets`] : []),
    ...(children < minChildren || children > maxChildren
      ? [`${role} has ${children} children`]
      : []),
  ]
}
