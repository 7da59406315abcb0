import { nodeIds, serviceNodeOf, services } from '../flow/nodes.ts'
import type { System } from '../programs/system.ts'
import type { Random } from './random.ts'

type Faults = Readonly<Record<string, (system: System, random: Random) => Promise<unknown>>>

/** Longer than a connection to Redis waits for a sign of life, at most. */
const maxAwayMs = 8_000

const faults: Faults = {
  'a full deploy': (system, random) => system.deploy('full', someNodes(random)),
  'a deploy of changed flows': (system, random) => system.deploy('flows', someNodes(random)),
  'a deploy of changed nodes': (system, random) => system.deploy('nodes', someNodes(random)),
  'a deploy of a changed service': (system, random) =>
    system.deploy('nodes', [serviceNodeOf(random.oneOf(services))]),
  'a restart of the hosted service': (system) => system.restartHosted(),
  'a hard kill of the hosted service': (system) => system.killHosted(),
  'a hard kill of the service of this device': async (system) => system.killDevice(),
  'all threads of a service killed': (system, random) =>
    system.channel.killThreads(random.oneOf(services)),
}

const faultsOfStore: Faults = {
  'a pause of Redis': async (system, random) => system.store?.pause(random.below(maxAwayMs)),
  'a hard kill of Redis': async (system, random) => system.store?.kill(random.below(maxAwayMs)),
}

/** The faults that the test causes, with or without a store. */
export function faultsFor(hasStore: boolean): Faults {
  return hasStore ? { ...faults, ...faultsOfStore } : faults
}

function someNodes(random: Random): string[] {
  return random.shuffle(nodeIds).slice(0, 4)
}
