import { execFileSync } from 'node:child_process'
import { startLocalServiceProcess } from '@parlando/local-service/process'

/**
 * Starts a service process that may use only one core. Needs `taskset` (Linux).
 * @param core Default: it may use all.
 * @returns the service, with its `pid`.
 */
export async function startOnCore(core, options) {
  const known = serviceProcesses().map(({ pid }) => pid)
  const service = await startLocalServiceProcess(options)
  const { pid } = serviceProcesses().find((one) => !known.includes(one.pid))
  if (core !== undefined) execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)])
  return { ...service, pid }
}

/**
 * The service processes that this process has started, with their resident memory, and that of the processes that they have
 * started. Pages of the Node.js program that processes share count in each.
 */
export function serviceProcesses() {
  const processes = listProcesses()
  const childrenOf = (pid) => processes.filter(({ parent }) => parent === pid)
  return childrenOf(process.pid)
    .filter(({ command }) => command.includes('cli'))
    .map(({ pid, residentMiB }) => {
      const children = childrenOf(pid).map((child) => child.residentMiB)
      return { pid, residentMiB, childrenMiB: children.reduce((sum, each) => sum + each, 0) }
    })
}

function listProcesses() {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,rss=,args=']).toString().split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .map(([parent, pid, residentKiB, ...args]) => ({
      parent: Number(parent),
      pid: Number(pid),
      residentMiB: Number(residentKiB) / 1024,
      command: args.join(' '),
    }))
}
