import type { Held } from './channel.ts'
import { nodeNames } from './flow.ts'
import { type Figure, figures, slopeOf } from './memory.ts'
import { type Outcome, watched } from './soak.ts'
import { troubles } from './troubles.ts'

/** A condition that must hold at the end of every soak test. */
export interface Check {
  /** A sentence that is true if the check passes. */
  says: string
  /** @returns the problems, one line each. */
  problems(outcome: Outcome): string[]
}

/** The expected failures of a message, and their reasons. */
const expectedFailures: Record<string, string> = {
  INVALID_INPUT: 'nothing to speak',
  INVALID_ARGUMENT: 'no such model or encoding',
  NOT_FOUND: 'no such voice, or deleted by somebody else',
  NOT_REACHABLE: 'the service is away',
  CONNECTION_LOST: 'the service was killed',
  UNAVAILABLE: 'the service is ending',
  RESOURCE_EXHAUSTED: 'many clones at once',
}

/** The service was killed while it started. */
const killedAtStart = /The speech service of this device did not start/

export const checks: Check[] = [
  {
    says: 'There are no unhandled rejections, exceptions or warnings',
    problems: ({ ending }) =>
      ending.complaints.map(({ role, kind, text }) => `${role}, ${kind}: ${text}`),
  },
  {
    says: 'No log contains an unexpected line',
    problems: ({ ending }) => ending.badLines.filter((line) => !killedAtStart.test(line)),
  },
  {
    says: 'Every message that a node received is done',
    problems: ({ audioStats }) => audioStats.lost,
  },
  {
    says: 'No message is done twice, and none is sent after it is done',
    problems: ({ audioStats }) => audioStats.doubled,
  },
  {
    says: 'Every failure reached Catch exactly once',
    problems: ({ audioStats }) => audioStats.badlyReported,
  },
  {
    says: 'Every failure is an expected one',
    problems: ({ audioStats }) =>
      Object.keys(audioStats.failed).filter(
        (failure) => !(failure in expectedFailures || killedAtStart.test(failure)),
      ),
  },
  {
    says: 'Every answer and utterance is complete, failed or stopped',
    problems: ({ audioStats }) => audioStats.incomplete,
  },
  {
    says: 'Every complete one has all parts in order, the expected length, and the same audio as before',
    problems: ({ audioStats }) => audioStats.wrong,
  },
  {
    says: 'After the load, no process has an open socket, and Node-RED has one child process',
    problems: ({ heldAtEnd }) =>
      Object.entries(heldAtEnd).flatMap(([role, held]) => problemsOfRest(role, held)),
  },
  {
    says: 'All programs exited when asked, and left no process and no file',
    problems: ({ ending }) => [
      ...ending.badExits,
      ...ending.leftProcesses.map((role) => `${role} is still running`),
      ...ending.leftFiles,
    ],
  },
  ...watched.flatMap((role) =>
    (Object.keys(figures) as Figure[]).map((figure) => ({
      says: `The ${figure} of ${role} does not grow`,
      problems({ samples }: Outcome) {
        const { kibPerMinute, limitKibPerMinute } = slopeOf(samples[role]!, figure)
        if (kibPerMinute <= limitKibPerMinute) return []
        return [`${kibPerMinute} KiB per minute, limit ${limitKibPerMinute}`]
      },
    })),
  ),
  {
    says: 'Every type of node has completed a message',
    problems: ({ audioStats }) => {
      const atWork = Object.keys(audioStats.completedBy)
      return nodeNames.filter((name) => !atWork.some((node) => node.endsWith(`-${name}`)))
    },
  },
  {
    says: 'Every kind of failure was caused',
    problems: (outcome) => Object.keys(troubles).filter((name) => !outcome.troubles[name]),
  },
]

function problemsOfRest(role: string, held: Held | undefined): string[] {
  if (!held) return [`${role} does not run`]
  const children = role === 'node-red' ? 1 : 0
  return [
    ...(held.sockets > 0 ? [`${role} has ${held.sockets} sockets`] : []),
    ...(held.children !== children ? [`${role} has ${held.children} children`] : []),
  ]
}
