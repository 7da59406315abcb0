import type { CreateDriverCase } from '../../test-suites/driver-test-case.ts'
import createMachineCase from '../machine/machine.test-case.ts'
import { createAutomaticDriver } from './automatic.ts'

const createCase: CreateDriverCase = async () => {
  const machine = await createMachineCase()
  const { driver, broken } = machine
  return {
    ...machine,
    driver: createAutomaticDriver({ editor: broken.driver, machine: driver }),
    broken: {
      driver: createAutomaticDriver({ editor: broken.driver, machine: broken.driver }),
      code: broken.code,
    },
  }
}

export default createCase
