import { execFileSync } from 'node:child_process'

/** The service processes that this process has started, with their resident memory. */
export function serviceProcesses() {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,rss=,args=']).toString().split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([parent, , , ...args]) => {
      return Number(parent) === process.pid && args.join(' ').includes('cli')
    })
    .map(([, pid, residentKiB]) => ({ pid: Number(pid), residentMiB: Number(residentKiB) / 1024 }))
}
