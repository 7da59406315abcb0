import { nodeIds, serviceNodeOf, services } from './flow.ts'
import type { House } from './house.ts'
import type { Random } from './random.ts'

/** The failures that the test causes, in turn. */
export const troubles: Record<string, (house: House, random: Random) => Promise<unknown>> = {
  'a deploy of everything': (house, random) => house.deploy('full', someNodes(random)),
  'a deploy of the tabs that changed': (house, random) => house.deploy('flows', someNodes(random)),
  'a deploy of the nodes that changed': (house, random) => house.deploy('nodes', someNodes(random)),
  'a deploy of a service that changed': (house, random) =>
    house.deploy('nodes', [serviceNodeOf(random.oneOf(services))]),
  'a restart of the hosted service': (house) => house.restartHosted(),
  'a hard kill of the hosted service': (house) => house.killHosted(),
  'a hard kill of the service of this device': async (house) => house.killDevice(),
  'all threads of a service killed': (house, random) =>
    house.channel.killThreads(random.oneOf(services)),
}

function someNodes(random: Random): string[] {
  return random.shuffle(nodeIds).slice(0, 4)
}
