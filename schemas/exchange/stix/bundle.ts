import { bundleId } from './ids.ts'
import type { StixFacts, StixObject } from './item.ts'
import { commonObjects } from './objects.ts'

/** A document of STIX 2.1 as it grows: objects one by one, each once, nothing held but the ids that may come again. */
export type StixBundle = {
  /** The head of the document, with the objects that every document begins with. */
  begin: string
  /** More objects, as they stand in the document. */
  add: (objects: readonly StixObject[]) => string
  end: string
}

/** A bundle whose id follows from `name`. */
export function stixBundle(facts: StixFacts, name: string): StixBundle {
  const lines = (objects: readonly StixObject[]): string => objects.map(({ json }) => json).join(',\n')
  return {
    begin: `{"type":"bundle","id":"${bundleId(name)}","objects":[\n${lines(commonObjects(facts))}`,
    add: (objects) => (objects.length === 0 ? '' : `,\n${lines(objects)}`),
    end: '\n]}\n',
  }
}
