import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { cases } from './test/fuzz/cases.ts'

/**
 * Which tests run:
 * - `change` (npm test): what a change needs, on the newest Node-RED.
 * - `slow`: what npm test leaves out, without the tests that run for minutes; .ci/run runs both. Where a test has more
 *   cases than a merge needs, the nightly workflow runs the others: see PARLANDO_NIGHTLY.
 * - `all` (npm run test:all): every test, on both versions of Node-RED.
 * - `node`: what depends on the version of Node, with the oldest Node-RED; .ci/run runs it on the machine's own Node.
 * - `selection`: what the arguments of Vitest name, on the newest Node-RED.
 */
type Scope = 'change' | 'slow' | 'all' | 'node' | 'selection'
const scope = (process.env['PARLANDO_TESTS'] || 'selection') as Scope

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isAtLeast = (wantedMajor: number, wantedMinor: number) =>
  major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
const canRunNodeRed5 = isAtLeast(22, 9)
/** This Node reads TypeScript itself, so threads and child processes run the sources without a build. */
const canRunSources = isAtLeast(22, 18)

const nodeRed4 = { name: 'nr4', nodeRed: 'node-red-4' }
const newestNodeRed = canRunNodeRed5 ? { name: 'nr5', nodeRed: 'node-red' } : nodeRed4
type NodeRedVersion = typeof nodeRed4

// Workers, and the processes that tests start, reuse compiled code. A service that starts from the sources needs less
// than half of the processor time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/parlando-compiled', import.meta.url),
)

const support = 'packages/test-support/src'
const globalSetup = `${support}/global-setup`
const buildPackages = `${globalSetup}/build-packages.js`
const buildNodes = canRunSources ? `${globalSetup}/build-nodes.js` : buildPackages

/** What a test that does not hang never needs, also while others use the processors. A test may have its own limit. */
const limits = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } }
/** For recordings and for tests with a browser, a whole Node-RED or npm, which start ten times more slowly on a busy machine. */
const patientLimits = { ...limits, testTimeout: 90_000, hookTimeout: 180_000 }

/** What tests of the sources need first. */
const sourceSetup = canRunSources ? [] : [buildPackages]

// A busy machine makes gaps in what is played, so recordings come first.
const [recordings, others, last] = [0, 1, 2].map((groupOrder) => ({ groupOrder }))

const common = {
  setupFiles: [`${support}/test-file-setup.ts`],
  sequence: others,
  ...limits,
}

const sourceConditions = ['@parlando/source', 'module', 'node', 'development|production']

/** Resolves `@parlando/*` to the sources, in tests and in the threads and processes that they start. */
const fromSources = canRunSources
  ? {
      resolve: { conditions: sourceConditions },
      ssr: {
        resolve: {
          conditions: sourceConditions,
          externalConditions: ['@parlando/source', 'node', 'module-sync'],
        },
      },
    }
  : {}
const sourceArguments = canRunSources ? ['--conditions=@parlando/source'] : []
const sourceEnvironment: Record<string, string> = canRunSources
  ? { NODE_OPTIONS: '--conditions=@parlando/source --disable-warning=ExperimentalWarning' }
  : {}
/** For services in child processes. The warm-up takes most of the processor time of their start. */
const coldStart = { PARLANDO_LOCAL_WARM_UP: 'false' }
/** For tests that listen: sound stutters unless the processors prefer these tests to all others, whose niceness is 10. */
const inRealTime = { PARLANDO_TEST_NICENESS: '0' }
/** For flows, in which simulated browsers play. */
const nearRealTime = { PARLANDO_TEST_NICENESS: '5' }
/** A virtual machine can stop for most of a second, which is a gap in a recording. A gap that our code makes is in each try. */
const recordsSound = { retry: 2, ...patientLimits }

/** Tests of the sources. They share workers, since loading the modules takes longer than most tests. */
function onSources(
  name: string,
  include: string[],
  { env, ...options }: NonNullable<TestProjectInlineConfiguration['test']> = {},
): TestProjectInlineConfiguration {
  return {
    ...fromSources,
    test: {
      name,
      include,
      isolate: false,
      globalSetup: sourceSetup,
      execArgv: sourceArguments,
      env: { ...sourceEnvironment, ...coldStart, ...env },
      ...common,
      ...options,
    },
  }
}

/** Tests that load the nodes into a Node-RED, which the files of a worker share. The nodes use the sources of the packages. */
function onNodeRed(
  name: string,
  include: string[],
  { name: version, nodeRed }: NodeRedVersion,
  { env, ...options }: NonNullable<TestProjectInlineConfiguration['test']> = {},
): TestProjectInlineConfiguration {
  return onSources(`${name}@${version}`, include, {
    pool: 'forks',
    globalSetup: [buildNodes],
    env: { PARLANDO_NODE_RED: nodeRed, ...env },
    ...options,
  })
}

/** Tests that run the built packages, as users do. */
function onBuild(
  name: string,
  include: string[],
  options: NonNullable<TestProjectInlineConfiguration['test']> = {},
): TestProjectInlineConfiguration {
  return {
    test: { name, include, globalSetup: [buildPackages], ...common, ...patientLimits, ...options },
  }
}

// Tests of the nodes that load no Node-RED are named *.unit.test.ts and run once.
const nodeTests = 'packages/node-red-nodes/src/**/!(*.unit).test.ts'
const nodeUnitTests = 'packages/node-red-nodes/src/!(speakers)/**/!(real-players).unit.test.ts'
const realPlayers = 'packages/node-red-nodes/src/sounds/real-players.unit.test.ts'
const machinePlayers = 'packages/node-red-nodes/src/speakers/machine/machine.unit.test.ts'
/** The shared tests of all kinds are enough on another version of Node. */
const speakerFiles =
  ({ change: '!(machine)', node: 'every-driver' } as const)[scope as string] ?? '*'
const speakerTests = `packages/node-red-nodes/src/speakers/**/${speakerFiles}.unit.test.ts`

const allFlows = ['test/flows/!(machine-speaker).test.ts']
/** What flows need of Node-RED, with a node of each kind but *converse*, whose own tests run in every Node-RED. */
const flowsOfOldest = [
  'test/flows/{02,06,09,12}-*.test.ts',
  'test/flows/{examples,faults,secrets,sound-address}.test.ts',
]
/** Examples that together contain each kind of node, and what no example shows. */
const mainFlows = [
  'test/flows/{02,03,04,05,06,07,09,12,17}-*.test.ts',
  'test/flows/{examples,faults,languages,recogniser,secrets,sound-address,texts}.test.ts',
]

function onFlows(
  include: string[],
  { name, nodeRed }: NodeRedVersion,
  exclude: string[] = [],
): TestProjectInlineConfiguration {
  return onBuild(`flows@${name}`, include, {
    exclude,
    // The files of a worker share one Node-RED.
    isolate: false,
    env: { ...coldStart, ...nearRealTime, PARLANDO_NODE_RED: nodeRed },
  })
}

/** Tests that run once for each version of Node-RED. */
function perNodeRed(version: NodeRedVersion): TestProjectInlineConfiguration[] {
  const flows = { change: mainFlows, node: flowsOfOldest }[scope as string] ?? allFlows
  return [onFlows(flows, version), onNodeRed('nodes', [nodeTests], version)]
}

function only(
  scopes: Scope[],
  projects: TestProjectInlineConfiguration[],
): TestProjectInlineConfiguration[] {
  return scopes.includes(scope) ? projects : []
}

/** One project, since the workers of each project load their modules again. */
const sourceTests = [
  'packages/{core,local-service,webrtc}/src/**/*.test.ts',
  nodeUnitTests,
  'test/contract/**/*.test.ts',
  'test/house/**/*.test.ts',
  'test/soak/!(soak).test.ts',
]
/** Tests of all formats, voices, recognisers or clients, and of npm. Other tests, and the flows, use some of them. */
const longSourceTests = [
  'packages/local-service/src/api/new-models.test.ts',
  'packages/local-service/src/api/speech-encodings.test.ts',
  // Clients of WebRTC. Node 20 cannot load the library.
  'packages/local-service/src/conversation/calls/{calls,call-process}.test.ts',
  'packages/webrtc/src/accept-call.test.ts',
  'packages/local-service/src/audio/decoding/decode-recording.test.ts',
  'packages/local-service/src/engines/flite/word-times.test.ts',
  'packages/local-service/src/models/install/install-addon.test.ts',
  'packages/local-service/src/recognisers/{recognisers,*/*-recogniser,openai/openai-failures}.test.ts',
  'packages/local-service/src/voices/{library,clone/clone-voice}.test.ts',
  'test/contract/{realtime,realtime-livekit,transcribe*}.test.ts',
]
/** Runs every example of the documentation. */
const examplesTest = 'test/house/docs.test.ts'
/** Tests that do not depend on the version of Node. */
const sameOnEveryNode = [
  'packages/core/src/{audio,text,wire}/**',
  'packages/local-service/src/{audio/{*,encoding/*},listening/turns/**,text/**}',
  'packages/local-service/src/{config,conversation/*,models/{catalogue,commands,install}/*,speaking/**,voices/**}',
  // The contract tests send the same requests to the same engines. Forms are parsed by code of Node.
  'packages/local-service/src/{api/!(transcription)*,api/speech-socket/**,chat/**,engines/!(process)/**}',
  'packages/webrtc/**',
  'packages/node-red-nodes/src/announcements/**',
  // Real clients converse on each version.
  'test/contract/interruptions.test.ts',
  'test/{house,soak}/**',
]
const skippedSourceTests =
  {
    change: [...longSourceTests, examplesTest],
    node: [...longSourceTests, ...sameOnEveryNode],
  }[scope as string] ?? []
const installEngines = `${globalSetup}/install-optional-engines.js`

const story = 'test/editor/story.test.ts'
const onEditor = (include: string, version: NodeRedVersion) =>
  onNodeRed('editor', [include], version, {
    globalSetup: [installEngines, buildNodes],
    ...patientLimits,
  })
/** Packing takes long, and few changes affect what is packed. */
const packedTests = ['test/published/{bundles,packages,sizes,tarballs,types}.test.ts']
const builtTests = ['test/published/{errors,programs,start}.test.ts']
const onPackages = (include: string[]) =>
  onBuild('published', include, {
    env: { PARLANDO_NODE_RED: newestNodeRed.nodeRed },
    globalSetup: [buildPackages, `${globalSetup}/pack-packages.ts`],
  })
/** Browsers that play. */
const onBrowser = () =>
  onNodeRed('browser', ['test/editor/browser-speakers.test.ts'], newestNodeRed, {
    ...recordsSound,
    env: inRealTime,
    sequence: recordings,
  })
/** A browser that talks to the service. */
const onCall = () =>
  onBuild('call', ['test/call/call.test.ts'], {
    env: { ...coldStart, ...inRealTime },
    sequence: recordings,
  })
/** Plug-ins of LiveKit Agents. */
const onLiveKit = (): TestProjectInlineConfiguration => ({
  ...onSources('livekit', ['test/livekit/*.test.ts'], {
    globalSetup: [`${globalSetup}/install-livekit.js`, ...sourceSetup],
    ...patientLimits,
  }),
  // Node.js cannot load what a package of theirs offers bundlers with the condition `module`.
  ssr: { resolve: { conditions: ['@parlando/source', 'node'] } },
})
const onSpeakers = (include: string[], sequence = others) =>
  onSources('speakers', include, { ...recordsSound, env: inRealTime, sequence })
/** A Node-RED that plays on this machine. */
const onMachineSpeaker = () =>
  onBuild('machine-speaker', ['test/flows/machine-speaker.test.ts'], {
    ...recordsSound,
    env: { ...coldStart, ...inRealTime, PARLANDO_NODE_RED: newestNodeRed.nodeRed },
    sequence: recordings,
  })

const onFuzz = () =>
  onNodeRed('fuzz', ['test/fuzz/**/*.test.ts'], newestNodeRed, {
    name: 'fuzz',
    // These tests compare memory, timers and listeners with those of a new process.
    isolate: true,
    execArgv: ['--expose-gc', ...sourceArguments],
    testTimeout: patientLimits.testTimeout + cases * 20,
  })

/** In the order in which they start: long ones first, or one of them would run at the end with the other cores idle. */
const projects = [
  ...only(
    ['all', 'selection'],
    [
      onSources('intelligibility', ['test/intelligibility/**/*.test.ts'], patientLimits),
      onBuild('soak', ['test/soak/soak.test.ts']),
      onSources('load', ['test/load/**/*.test.ts'], patientLimits),
      onSources('turns', ['test/turns/**/*.test.ts']),
      onEditor('test/editor/!(browser-speakers).test.ts', newestNodeRed),
      onBrowser(),
      onCall(),
      onLiveKit(),
      onMachineSpeaker(),
      onSpeakers([speakerTests, realPlayers]),
    ],
  ),
  ...only(
    ['slow'],
    [
      onBrowser(),
      onCall(),
      onMachineSpeaker(),
      onSpeakers([realPlayers, machinePlayers], recordings),
      // The others recognise hundreds of recordings.
      onSources('intelligibility', ['test/intelligibility/intelligibility.test.ts'], patientLimits),
      onSources('turns', ['test/turns/**/*.test.ts']),
      onEditor(
        'test/editor/!(story|browser-speakers|forms-texts|forms-appearance).test.ts',
        newestNodeRed,
      ),
      onFuzz(),
      onLiveKit(),
      onSources('load', ['test/load/!(minute).test.ts'], patientLimits),
      onPackages(packedTests),
      onFlows(allFlows, newestNodeRed, mainFlows),
      onSources('sources', [...longSourceTests, examplesTest], {
        globalSetup: [installEngines, ...sourceSetup],
      }),
    ],
  ),
  ...only(['change'], [onEditor(story, newestNodeRed), onSpeakers([speakerTests])]),
  ...only(['all', 'selection'], [onFuzz()]),
  ...only(
    ['change', 'all', 'selection'],
    [
      scope === 'change'
        ? onBuild('published', builtTests, { env: { PARLANDO_NODE_RED: newestNodeRed.nodeRed } })
        : onPackages(['test/published/**/*.test.ts']),
      ...perNodeRed(newestNodeRed),
    ],
  ),
  ...only(canRunNodeRed5 ? ['all', 'node'] : ['node'], [
    onEditor(story, nodeRed4),
    ...perNodeRed(nodeRed4),
  ]),
  ...only(
    ['node'],
    [onSpeakers([speakerTests]), onBuild('published', ['test/published/programs.test.ts'])],
  ),
  ...only(
    ['change', 'all', 'selection', 'node'],
    [
      onSources('sources', sourceTests, {
        exclude: skippedSourceTests,
        globalSetup: [installEngines, ...sourceSetup],
      }),
    ],
  ),
]
const order = projects.map(({ test }) => test!.name as string)

/** Vitest does not know durations on a fresh clone and starts large files first. These take longer than their size suggests. */
const longFiles = /\/(?:docs|device-service|core-with-local-service|cli|process)\.test\.ts$/

/** Keeps the files of a project together, so that they share workers, and starts the longest files first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const place = ({ project }: TestSpecification) => order.indexOf(project.name)
    const rank = ({ moduleId }: TestSpecification) => (longFiles.test(moduleId) ? 0 : 1)
    return sorted.sort(
      (first, second) => place(first) - place(second) || rank(first) - rank(second),
    )
  }
}

export default defineConfig({
  test: {
    // Tests wait for processes, timers and browsers part of the time, so two cores can run five files. As a percentage,
    // Vitest would limit this to the number of cores.
    maxWorkers: Math.ceil(2.5 * availableParallelism()),
    // The projects, and the next run, share what one of them has compiled.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: 'node_modules/.cache/parlando-tests',
    },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', `./${support}/report-missing-programs.ts`],
    globalSetup: [`${globalSetup}/records-folder.ts`],
    projects: [
      ...projects,
      // Searches what all other tests left behind.
      {
        test: {
          name: 'secrets',
          include: ['test/secrets/**/*.test.ts'],
          env: { PARLANDO_TESTS: scope },
          sequence: last,
        },
      },
    ],
  },
})
