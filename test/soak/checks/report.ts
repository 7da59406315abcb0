import { createRequire } from 'node:module'
import { type Outcome, watched } from '../soak.ts'
import { checks } from './checks.ts'
import { type Figure, figures, type Sample, type Slope, slopeOf } from './memory.ts'

const maxRows = 13

/** The report of a soak, as Markdown. */
export function reportOf(outcome: Outcome): string {
  const { minutes, seed, hasStore, messages, actions, faults } = outcome
  return [
    `## A soak of ${minutes} minutes`,
    '',
    `Seed ${seed}; ${versions()}; ${new Date().toISOString().slice(0, 10)}.`,
    '',
    ...(hasStore
      ? []
      : ['The services share no store, because redis-server is not installed.', '']),
    '### Actions and faults',
    '',
    ...table(['what', 'how often'], [...Object.entries(actions), ...Object.entries(faults)]),
    '',
    '### Messages',
    '',
    ...table(
      ['messages at nodes', 'how many'],
      [
        ['received', messages.received],
        ['completed', messages.completed],
        ['stopped: `msg.stop`, a newer message, a deploy', messages.stopped],
        ['control messages: `msg.stop`, `msg.reset`, `msg.played`', messages.control],
        ...Object.entries(messages.failed).map(([code, count]) => [`failed: \`${code}\``, count]),
        ['received by a node that Node-RED had closed', messages.undelivered],
        ['sent', messages.sent],
        ['complete utterances among them', messages.utterances],
        ...Object.entries(messages.answers).map(([answer, count]) => [
          `questions: ${answer}`,
          count,
        ]),
        ['hours of audio in them', (messages.audioSeconds / 3600).toFixed(2)],
      ],
    ),
    '',
    '### Conditions',
    '',
    ...checks.flatMap(({ statement, problems }) => {
      const found = problems(outcome)
      return [
        `- ${found.length === 0 ? 'yes' : '**NO**'}: ${statement}`,
        ...found.map((line) => `  - ${line}`),
      ]
    }),
    '',
    '### Memory',
    '',
    'After a garbage collection, in MiB.',
    '',
    ...memoryTable(outcome),
    '',
    ...slopeTable(outcome),
    '',
  ].join('\n')
}

function memoryTable({ samples }: Outcome): string[] {
  const [first] = watched
  const rows = everyFew(samples[first!]!).map((sample) => [
    sample.minute.toFixed(1),
    ...watched.flatMap((role) => {
      const near = nearest(samples[role]!, sample.minute)
      return figureNames.map((figure) => (figures[figure].of(near.usage) / 2 ** 20).toFixed(1))
    }),
  ])
  const heads = watched.flatMap((role) => figureNames.map((figure) => `${role}: ${figure}`))
  return table(['minute', ...heads], rows)
}

function slopeTable({ samples }: Outcome): string[] {
  const row = (what: string, { fromMinute, kibPerMinute, limitKibPerMinute }: Slope) => [
    `${what}, from minute ${fromMinute.toFixed(0)}`,
    kibPerMinute.toFixed(1),
    limitKibPerMinute.toFixed(1),
  ]
  const rows = watched.flatMap((role) => [
    ...figureNames.map((figure) => row(`${role}: ${figure}`, slopeOf(samples[role]!, figure))),
    row(`without a limit: ${role}: rss`, slopeOf(samples[role]!, 'rss', figures.heap.warmUp)),
  ])
  return table(['slope, KiB per minute', 'measured', 'limit'], rows)
}

const figureNames = Object.keys(figures) as Figure[]

function everyFew(samples: readonly Sample[]): Sample[] {
  const step = Math.max(1, (samples.length - 1) / (maxRows - 1))
  const count = Math.min(maxRows, samples.length)
  return Array.from({ length: count }, (_, row) => samples[Math.round(row * step)]!)
}

function nearest(samples: readonly Sample[], minute: number): Sample {
  const distance = (sample: Sample) => Math.abs(sample.minute - minute)
  return samples.reduce((best, sample) => (distance(sample) < distance(best) ? sample : best))
}

function table(head: string[], rows: unknown[][]): string[] {
  const line = (cells: unknown[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}

function versions(): string {
  const require = createRequire(import.meta.url)
  const version = (name: string) => require(`${name}/package.json`).version
  return `Parlando ${version('@parlando/node-red')}, Node-RED ${version('node-red')}, Node ${process.versions.node}`
}
