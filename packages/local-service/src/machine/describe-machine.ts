import { totalmem } from 'node:os'
import { machineProblem } from '../models/sherpa/find-sherpa.ts'
import { findMachineClass, type MachineClass } from './machine-class.ts'

/** What matters to models. */
export interface Machine {
  speed: MachineClass
  memoryBytes: number
  /** Why sherpa-onnx does not run on this machine. */
  unsupported?: string
}

export async function describeMachine(): Promise<Machine> {
  return {
    speed: await findMachineClass(),
    memoryBytes: totalmem(),
    unsupported: machineProblem(),
  }
}
