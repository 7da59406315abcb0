import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { longestFirst } from './packages/test-support/src/vitest/longest-first.ts'
import {
  canRunNodeRed5,
  coldStart,
  inNodeRed,
  type NodeRedVersion,
  newestNodeRed,
  nodeRed4,
  onBuild,
  onSources,
  type Project,
  patient,
  setups,
  sourceArguments,
  support,
} from './packages/test-support/src/vitest/projects.ts'
import {
  inTier,
  recordingsIn,
  scope,
  tierEnding,
} from './packages/test-support/src/vitest/tiers.ts'
import { cases } from './test/fuzz/cases.ts'

// Workers and the processes of tests reuse compiled code: a service from the sources starts in half of the processor time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/parlando-compiled', import.meta.url),
)

/** Sound stutters unless the processors prefer these tests to all others, whose niceness is 10. */
const inRealTime = { PARLANDO_TEST_NICENESS: '0' }
/** For flows and browsers, which play and record. */
const nearRealTime = { PARLANDO_TEST_NICENESS: '5' }
// A busy machine makes gaps in a recording, so the slow ones run before the other tests. A virtual machine can stop for most of a
// second, which is a gap, too; a gap that our code makes is in each try.
const sequence = { groupOrder: scope === 'slow' ? 0 : 1 }
// Alone, all five begin at once: they mostly wait for sound, and the last one would keep all other tests waiting.
const alone = { sequence, ...(scope === 'slow' && { maxWorkers: 5 }) }
const recordsSound = { ...patient, retry: 2, env: { ...coldStart, ...inRealTime }, ...alone }
const recordings = '**/*.recording.*'
const speakers = 'packages/node-red-nodes/src/speakers'
const nodes = `packages/node-red-nodes/src/**/*.node-red${tierEnding}.test.ts`
const sources = 'packages/{core,local-service,store,webrtc,node-red-nodes,test-support}/src/**'
const allVersions = canRunNodeRed5 ? [newestNodeRed, nodeRed4] : [nodeRed4]
const versions = { node: [nodeRed4], all: allVersions }[scope as string] ?? [newestNodeRed]

/** Tests that run once for each version of Node-RED. */
const perNodeRed = (version: NodeRedVersion): Project[] => [
  inNodeRed('editor', inTier('test/editor'), version, {
    exclude: [recordings],
    globalSetup: [...setups.engines, ...setups.nodes],
    env: nearRealTime,
    ...patient,
  }),
  onBuild(`flows@${version.name}`, inTier('test/flows/**'), {
    exclude: [recordings],
    // The files of a worker share one Node-RED.
    isolate: false,
    env: { ...coldStart, ...nearRealTime, PARLANDO_NODE_RED: version.nodeRed },
  }),
  inNodeRed('nodes', [nodes], version),
]

/** In the order in which they start: long ones first, or one of them would run at the end with the other cores idle. */
const projects: Project[] = [
  onSources('intelligibility', inTier('test/intelligibility'), patient),
  onBuild('soak', inTier('test/soak/**')),
  onSources('load', inTier('test/load', 'test/deploy'), patient),
  onSources('turns', inTier('test/turns')),
  onSources('models', inTier('test/models/**'), { ...patient, globalSetup: setups.engines }),
  onSources('systems', inTier('test/systems'), { ...patient, env: inRealTime }),
  onBuild('player-nodes', inTier('test/player-nodes'), {
    globalSetup: [...setups.packages, ...setups.playerNodes],
    env: { ...inRealTime, PARLANDO_NODE_RED: newestNodeRed.nodeRed },
  }),
  inNodeRed('browser', recordingsIn('test/editor'), newestNodeRed, recordsSound),
  onBuild('call', recordingsIn('test/call'), recordsSound),
  onBuild('machine-speaker', recordingsIn('test/flows/on-this-machine'), {
    ...recordsSound,
    env: { ...recordsSound.env, PARLANDO_NODE_RED: newestNodeRed.nodeRed },
  }),
  onSources('players', recordingsIn('packages/node-red-nodes/src/**'), recordsSound),
  {
    ...onSources('livekit', inTier('test/livekit'), {
      globalSetup: [...setups.liveKit, ...setups.sources],
      ...patient,
    }),
    // Node.js cannot load what a package of theirs offers bundlers with the condition `module`.
    ssr: { resolve: { conditions: ['@parlando/source', 'node'] } },
  },
  inNodeRed('fuzz', inTier('test/fuzz/**'), newestNodeRed, {
    name: 'fuzz',
    // These tests compare memory, timers and listeners with those of a new process.
    isolate: true,
    execArgv: ['--expose-gc', ...sourceArguments],
    testTimeout: patient.testTimeout + cases * 100,
  }),
  onBuild('published', inTier('test/published'), {
    env: { PARLANDO_NODE_RED: newestNodeRed.nodeRed },
    globalSetup: setups.archives,
  }),
  ...versions.flatMap(perNodeRed),
  onSources('speakers', inTier(`${speakers}/**`), { exclude: [recordings], env: inRealTime }),
  // One project, since the workers of each project load their modules again.
  onSources('sources', inTier(sources, 'test/contract', 'test/house/**'), {
    exclude: [recordings, `${speakers}/**`, '**/*.node-red.*'],
    globalSetup: [...setups.engines, ...setups.sources],
  }),
]

export default defineConfig({
  test: {
    // Tests wait for processes and browsers part of the time, and one worker of npm test records sound for most of it. Vitest
    // would limit a percentage to the number of cores.
    maxWorkers: Math.ceil((scope === 'change' ? 3 : 2.5) * availableParallelism()),
    // The projects, and the next run, share what one of them has compiled.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/parlando-tests' },
    sequence: { sequencer: longestFirst(projects.map(({ test }) => `${test!.name}`)) },
    reporters: ['default', `./${support}/vitest/report-missing-programs.ts`],
    globalSetup: [`${support}/global-setup/records-folder.ts`],
    projects: [
      ...projects,
      // Searches what all other tests left behind.
      {
        test: {
          name: 'secrets',
          include: ['test/secrets/*.test.ts'],
          env: { PARLANDO_TESTS: scope },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
