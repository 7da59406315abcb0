import type { Held } from './channel.ts'
import { nodeNames } from './flow.ts'
import { type Figure, figures, slopeOf } from './memory.ts'
import { type Outcome, watched } from './soak.ts'
import { troubles } from './troubles.ts'

/** Something that holds at the end of every soak. */
export interface Check {
  /** A sentence that is true when nothing is wrong. */
  says: string
  /** @returns what is wrong, a line each. */
  problems(outcome: Outcome): string[]
}

/** How a message may fail in this house, and why. */
const expectedFailures: Record<string, string> = {
  INVALID_INPUT: 'nothing to speak',
  INVALID_ARGUMENT: 'no such model or encoding',
  NOT_FOUND: 'no such voice, or deleted by somebody else',
  NOT_REACHABLE: 'the service is away',
  CONNECTION_LOST: 'the service was killed',
  UNAVAILABLE: 'the service is ending',
  RESOURCE_EXHAUSTED: 'many clones at once',
}

/** It was killed while it started. */
const killedAtStart = /The speech service of this device did not start/

export const checks: Check[] = [
  {
    says: 'No rejection and no exception was left to nobody, and nothing warned',
    problems: ({ ending }) =>
      ending.complaints.map(({ role, kind, text }) => `${role}, ${kind}: ${text}`),
  },
  {
    says: 'Nothing stands in a log that should not',
    problems: ({ ending }) => ending.badLines.filter((line) => !killedAtStart.test(line)),
  },
  {
    says: 'Every message that a node received is done',
    problems: ({ audioStats }) => audioStats.lost,
  },
  {
    says: 'No message is done twice, and none goes out after it is done',
    problems: ({ audioStats }) => audioStats.doubled,
  },
  {
    says: 'Every failure came to Catch once',
    problems: ({ audioStats }) => audioStats.badlyReported,
  },
  {
    says: 'Every failure is one that this house gives a reason for',
    problems: ({ audioStats }) =>
      Object.keys(audioStats.failed).filter(
        (failure) => !(failure in expectedFailures || killedAtStart.test(failure)),
      ),
  },
  {
    says: 'Every answer and utterance is whole, or failed, or was stopped: one of the three',
    problems: ({ audioStats }) => audioStats.incomplete,
  },
  {
    says: 'Every whole one has all its parts in order, and sounds as long and as it did before',
    problems: ({ audioStats }) => audioStats.wrong,
  },
  {
    says: 'When all is quiet no process holds a socket, and Node-RED one child',
    problems: ({ heldAtEnd }) =>
      Object.entries(heldAtEnd).flatMap(([role, held]) => problemsOfRest(role, held)),
  },
  {
    says: 'All programs ended when they were told to, and left no process and no file',
    problems: ({ ending }) => [
      ...ending.badExits,
      ...ending.leftProcesses.map((role) => `${role} still runs`),
      ...ending.leftFiles,
    ],
  },
  ...watched.flatMap((role) =>
    (Object.keys(figures) as Figure[]).map((figure) => ({
      says: `The ${figure} of ${role} does not grow`,
      problems({ samples }: Outcome) {
        const { kibPerMinute, limitKibPerMinute } = slopeOf(samples[role]!, figure)
        if (kibPerMinute <= limitKibPerMinute) return []
        return [`${kibPerMinute} KiB a minute, of at most ${limitKibPerMinute}`]
      },
    })),
  ),
  {
    says: 'Every kind of node has completed something',
    problems: ({ audioStats }) => {
      const atWork = Object.keys(audioStats.completedBy)
      return nodeNames.filter((name) => !atWork.some((node) => node.endsWith(`-${name}`)))
    },
  },
  {
    says: 'Everything happened that can happen to the house',
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
