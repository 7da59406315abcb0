import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Vitest does not know durations on a fresh clone and starts large files first. These take longer than their size suggests. */
const longFiles =
  /\/(?:docs|transcribe|transcribe-openai|recognisers|device-service|core-with-local-service|cli|process)\.[\w.-]*test\.ts$/

/**
 * A sequencer that keeps the files of a project together, so that they share workers, and starts the longest files first.
 * @param order the names of the projects.
 */
export function longestFirst(order: readonly string[]): typeof BaseSequencer {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files)
      const place = ({ project }: TestSpecification) => order.indexOf(project.name)
      const rank = ({ moduleId }: TestSpecification) => (longFiles.test(moduleId) ? 0 : 1)
      return sorted.sort(
        (first, second) => place(first) - place(second) || rank(first) - rank(second),
      )
    }
  }
}
