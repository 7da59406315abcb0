import { createRequire } from 'node:module'
import { checks } from './checks.ts'
import { type Figure, figures, type Sample, type Slope, slopeOf } from './memory.ts'
import { type Outcome, watched } from './soak.ts'

const maxRows = 13

/** The results of a soak test as Markdown. */
export function reportOf(outcome: Outcome): string {
  const { minutes, seed, audioStats, deeds, troubles } = outcome
  return [
    `## Soak test of ${minutes} minutes`,
    '',
    `Seed ${seed}; ${versions()}; ${new Date().toISOString().slice(0, 10)}.`,
    '',
    '### Load',
    '',
    ...table(['what', 'how often'], [...Object.entries(deeds), ...Object.entries(troubles)]),
    '',
    '### Results',
    '',
    ...table(
      ['messages at nodes', 'how many'],
      [
        ['received', audioStats.received],
        ['completed', audioStats.completed],
        ['stopped: `msg.stop`, a newer message, a deploy', audioStats.stopped],
        ['control messages: `msg.stop`, `msg.reset`', audioStats.orders],
        ...Object.entries(audioStats.failed).map(([code, count]) => [`failed: \`${code}\``, count]),
        ['came to a node that Node-RED had closed', audioStats.unheard],
        ['sent', audioStats.sent],
        ['whole utterances among them', audioStats.utterances],
        ['hours of sound in them', (audioStats.audioSeconds / 3600).toFixed(2)],
      ],
    ),
    '',
    '### Checks',
    '',
    ...checks.flatMap(({ says, problems }) => {
      const found = problems(outcome)
      return [
        `- ${found.length === 0 ? 'yes' : '**NO**'}: ${says}`,
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
      return figureNames.map((figure) => (figures[figure].of(near.held) / 2 ** 20).toFixed(1))
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
    row(`not checked: ${role}: rss`, slopeOf(samples[role]!, 'rss', figures.heap.warmUp)),
  ])
  return table(['slope, KiB a minute', 'measured', 'at most'], rows)
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
