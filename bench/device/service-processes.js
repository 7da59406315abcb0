import { execFileSync } from 'node:child_process'

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
