// npm run audit: reports known vulnerabilities in runtime dependencies. Exits with 0 if there are none, or if the registry
// has no list of vulnerabilities.
import { execFile } from 'node:child_process'
import { summariseAudit } from './audit-report.js'
import { repository } from './prepare.js'

const { report, errorOutput } = await runNpmAudit()
const { exitCode, message } = summariseAudit(report, errorOutput)
if (exitCode === 0) console.log(message)
else console.error(message)
process.exitCode = exitCode

function runNpmAudit() {
  const options = { cwd: repository, shell: process.platform === 'win32' }
  return new Promise((resolve) => {
    execFile('npm', ['audit', '--omit=dev', '--json'], options, (_error, output, errorOutput) =>
      resolve({ report: output.startsWith('{') ? JSON.parse(output) : {}, errorOutput }),
    )
  })
}
