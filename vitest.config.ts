import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { cases } from './test/fuzz/cases.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const canRunNodeRed5 = major > 22 || (major === 22 && minor >= 9)
// Threads and child processes of the local service load sources without a build where Node itself reads TypeScript.
const canRunSources = major > 22 || (major === 22 && minor >= 18)

const nodeRedVersions = [
  { name: 'nr4', nodeRed: 'node-red-4' },
  ...(canRunNodeRed5 ? [{ name: 'nr5', nodeRed: 'node-red' }] : []),
]

// They only end what hangs: on a busy machine, voices and browsers take ten times as long to start.
const limits = { testTimeout: 120_000, hookTimeout: 60_000 }

const support = 'packages/test-support/src'

/** Records what the tests print, for the project `secrets`; patterns in expectations match. */
const setupFiles = [`${support}/record-output.ts`, `${support}/match-patterns.ts`]

/** Resolves `@parlando/*` to the sources, in the tests and in the threads and processes that they start. */
const fromSources = canRunSources
  ? {
      resolve: { conditions: ['@parlando/source', 'module', 'node', 'development|production'] },
      ssr: {
        resolve: {
          conditions: ['@parlando/source', 'module', 'node', 'development|production'],
          externalConditions: ['@parlando/source', 'node', 'module-sync'],
        },
      },
    }
  : {}
const sourceOptions = canRunSources
  ? {
      execArgv: ['--conditions=@parlando/source'],
      env: { NODE_OPTIONS: '--conditions=@parlando/source --disable-warning=ExperimentalWarning' },
    }
  : {}

/** The same tests for each version of Node-RED that this Node can run; PARLANDO_NODE_RED names the package. */
function onNodeRed(name: string, include: string[]): TestProjectConfiguration[] {
  return nodeRedVersions.map((version) => ({
    test: {
      name: `${name}@${version.name}`,
      include,
      env: { PARLANDO_NODE_RED: version.nodeRed },
      setupFiles,
      pool: 'forks',
      ...limits,
    },
  }))
}

function onNode(name: string, include: string[], globalSetup: string[] = []) {
  return {
    ...fromSources,
    test: { name, include, globalSetup, setupFiles, ...limits, ...sourceOptions },
  }
}

/** Begins with what takes minutes: at the end it would run alone, with the other cores idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/(soak|intelligibility|minute)\.test\.ts$/.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    // Without it one core of two stands idle.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    globalSetup: [`${support}/record-run.ts`],
    projects: [
      onNode('core', ['packages/core/src/**/*.test.ts']),
      onNode(
        'local-service',
        ['packages/local-service/src/**/*.test.ts'],
        [`${support}/install-optional-engines.js`],
      ),
      onNode('contract', ['test/contract/**/*.test.ts']),
      // A whole minute: once is enough, on the Node that the install brings.
      onNode('load', [`test/load/${major >= 24 ? '*' : '!(minute)'}.test.ts`]),
      // Two minutes, and Node-RED 5; `npm run soak` makes it longer.
      onNode('soak', [`test/soak/${major >= 24 ? '*' : '!(*)'}.test.ts`]),
      // Recognising takes a minute of processor time, and the speech is the same on every Node.
      onNode('intelligibility', [`test/intelligibility/${major >= 24 ? '*' : '!(*)'}.test.ts`]),
      onNode('house', ['test/house/**/*.test.ts']),
      {
        test: {
          name: 'fuzz',
          // Chance is the same on every Node.
          include: [`test/fuzz/${major >= 24 ? '*' : '!(*)'}.test.ts`],
          env: { PARLANDO_NODE_RED: 'node-red' },
          setupFiles,
          pool: 'forks',
          execArgv: ['--expose-gc'],
          testTimeout: 60_000 + cases * 20,
          hookTimeout: 60_000,
        },
      },
      ...onNodeRed('nodes', ['packages/node-red-nodes/src/**/*.test.ts']),
      ...onNodeRed('flows', ['test/flows/**/*.test.ts']),
      ...onNodeRed('editor', ['test/editor/**/*.test.ts']),
      // What all others have left behind is searched when they have ended.
      {
        test: {
          name: 'secrets',
          include: ['test/secrets/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
