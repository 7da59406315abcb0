import type { Reporter, TestModule } from 'vitest/node'
import { debianPackages, type Program } from '../programs/installed-programs.ts'

/** Ends a run with what was not tested, because this machine lacks programs, and with how to install them. */
export default class MissingProgramsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const summary = describeMissing(
      tests.map((test) => ({
        missing: test.meta().missing ?? [],
        isSkipped: test.result().state === 'skipped',
      })),
    )
    if (summary) console.log(summary)
  }
}

/** A test, and what this machine lacks for it. */
interface IncompleteTest {
  missing: readonly string[]
  /** Otherwise it ran, without recognising the words of speech. */
  isSkipped: boolean
}

interface Row {
  programs: Set<string>
  skipped: Set<IncompleteTest>
  reduced: Set<IncompleteTest>
}

/** @returns the lines for each Debian package; undefined if nothing is missing. */
export function describeMissing(tests: readonly IncompleteTest[]): string | undefined {
  const rows = new Map<string, Row>()
  for (const test of tests) {
    for (const program of test.missing) {
      const name = debianPackages[program as Program] ?? program
      const row = rows.get(name) ?? { programs: new Set(), skipped: new Set(), reduced: new Set() }
      rows.set(name, row)
      row.programs.add(program)
      row[test.isSkipped ? 'skipped' : 'reduced'].add(test)
    }
  }
  if (rows.size === 0) return undefined
  const names = [...rows.keys()].sort()
  const installable = Object.values(debianPackages) as string[]
  const packages = names.filter((name) => installable.includes(name))
  return [
    '',
    'Not tested here, for want of these Debian packages:',
    ...names.map((name) => `  ${name}: ${describeRow(name, rows.get(name)!)}`),
    ...(packages.length > 0
      ? [`To test everything: sudo apt-get install ${packages.join(' ')}`]
      : []),
  ].join('\n')
}

function describeRow(name: string, { programs, skipped, reduced }: Row): string {
  const others = [...programs].filter((program) => program !== name).sort()
  return [
    ...(others.length > 0 ? [others.join(', ')] : []),
    ...(skipped.size > 0 ? [`${count(skipped.size)} skipped`] : []),
    ...(reduced.size > 0 ? [`${count(reduced.size)} without recognising the words`] : []),
  ].join('; ')
}

function count(tests: number): string {
  return `${tests} ${tests === 1 ? 'test' : 'tests'}`
}
