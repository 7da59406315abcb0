import type { TestProjectInlineConfiguration } from 'vitest/config'

/** How tests run: on the sources, in a Node-RED, or on the built packages. */

type TestOptions = NonNullable<TestProjectInlineConfiguration['test']>
export type Project = TestProjectInlineConfiguration

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isAtLeast = (wantedMajor: number, wantedMinor: number) =>
  major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
export const canRunNodeRed5 = isAtLeast(22, 9)
/** This Node reads TypeScript itself, so threads and child processes run the sources without a build. */
const canRunSources = isAtLeast(22, 18)

export const nodeRed4 = { name: 'nr4', nodeRed: 'node-red-4' }
export const newestNodeRed = canRunNodeRed5 ? { name: 'nr5', nodeRed: 'node-red' } : nodeRed4
export type NodeRedVersion = typeof nodeRed4

export const support = 'packages/test-support/src'
const globalSetup = `${support}/global-setup`
const buildPackages = `${globalSetup}/build-packages.js`
/** What tests need before they run. */
export const setups = {
  /** Tests of the sources. */
  sources: canRunSources ? [] : [buildPackages],
  packages: [buildPackages],
  nodes: [canRunSources ? `${globalSetup}/build-nodes.js` : buildPackages],
  engines: [`${globalSetup}/install-optional-engines.js`],
  archives: [buildPackages, `${globalSetup}/pack-folder.ts`],
  liveKit: [`${globalSetup}/install-livekit.js`],
  playerNodes: [`${globalSetup}/install-player-nodes.js`],
}

const common = {
  setupFiles: [`${support}/vitest/test-file-setup.ts`],
  sequence: { groupOrder: 1 },
  // What a test that does not hang never needs, also while others use the processors. A test may have its own limit.
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
}
/** For recordings and for tests with a browser, a whole Node-RED or npm, which start ten times more slowly on a busy machine. */
export const patient = { testTimeout: 90_000, hookTimeout: 180_000 }

// As in Node: it does not know the condition `module`, whose files of @opentelemetry/api only bundlers can load.
const sourceConditions = ['@parlando/source', 'node', 'development|production']
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
export const sourceArguments = canRunSources ? ['--conditions=@parlando/source'] : []
const sourceEnvironment: Record<string, string> = canRunSources
  ? { NODE_OPTIONS: '--conditions=@parlando/source --disable-warning=ExperimentalWarning' }
  : {}
/** For services in child processes. The warm-up takes most of the processor time of their start. */
export const coldStart = { PARLANDO_LOCAL_WARM_UP: 'false' }

/** Tests of the sources. They share workers, since loading the modules takes longer than most tests. */
export function onSources(
  name: string,
  include: string[],
  { env, ...options }: TestOptions = {},
): Project {
  return {
    ...fromSources,
    test: {
      name,
      include,
      isolate: false,
      globalSetup: setups.sources,
      execArgv: sourceArguments,
      env: { ...sourceEnvironment, ...coldStart, ...env },
      ...common,
      ...options,
    },
  }
}

/** Tests that load the nodes into a Node-RED, which the files of a worker share. The nodes use the sources of the packages. */
export function inNodeRed(
  name: string,
  include: string[],
  { name: version, nodeRed }: NodeRedVersion,
  { env, ...options }: TestOptions = {},
): Project {
  return onSources(`${name}@${version}`, include, {
    pool: 'forks',
    globalSetup: setups.nodes,
    env: { PARLANDO_NODE_RED: nodeRed, ...env },
    ...options,
  })
}

/** Tests that run the built packages, as users do. */
export function onBuild(name: string, include: string[], options: TestOptions = {}): Project {
  return {
    test: { name, include, globalSetup: setups.packages, ...common, ...patient, ...options },
  }
}
