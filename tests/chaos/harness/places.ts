/** Statements at which operator commands are killed, by name, with how often a small run has each (ADR 285). */

/** What a command does, and where in it. */
export const PLACES = {
  rebuild: {
    'insert into rebuild': 9,
    'alter table entities': 2,
    'insert into history': 4,
    'insert into associations': 4,
    'insert into audiences': 4,
    'insert into retractions': 4,
    'insert into counts': 4,
    'insert into entities': 4,
    'system stop merges': 4,
    'system start merges': 4,
    'select entities': 1,
  },
  'promotion of a rebuild': {
    'select rebuild': 2,
    'select generations': 8,
    'insert into generations': 3,
    'create or replace view': 4,
    'select covering_marks': 1,
  },
  'scoring anew': {
    'insert into rescore': 2,
    'alter table rescore_entities': 1,
    'select rescore_entities': 2,
    'insert into entities': 1,
    'truncate table history': 1,
    'alter table history': 2,
    'alter table associations': 2,
    'truncate table counts': 1,
    'insert into counts': 1,
  },
  'promotion of new scores': {
    'insert into rescore': 6,
    'select entities': 2,
    'insert into generations': 3,
    'alter table rescore_entities': 2,
    'select rescore_entities': 3,
    'truncate table history': 1,
    'alter table history': 2,
    'alter table audiences': 1,
    'truncate table counts': 1,
    'insert into counts': 1,
    'create or replace view': 4,
    'select covering_marks': 1,
  },
  retraction: {
    'select history': 2,
    'select entities': 2,
    'select audiences': 1,
  },
} as const satisfies Record<string, Record<string, number>>

export type Work = keyof typeof PLACES
