import { onOneStore } from '../../builders/history/shared.ts'
import { networksAndMarks } from './reads/covering.ts'
import { columnsInOrder } from './reads/entities/columns.ts'
import { entityViewsInStore } from './reads/entities/entity-views.ts'
import { linksTold } from './reads/entities/links.ts'
import { matchesTold } from './reads/entities/matches.ts'
import { relationshipTypes } from './reads/entities/relationships.ts'
import { singleEntities } from './reads/entities/shown.ts'
import { toldLists } from './reads/entities/told-lists.ts'
import { lookUps } from './reads/lookup.ts'
import { overlappingAudiences } from './reads/overlaps.ts'
import { recentEntities } from './reads/recent.ts'
import { scorecards } from './reads/sources.ts'

/** What readers are told of entities, on one engine, each part with a database of its own. */
onOneStore({
  'columns that are read as arrays': columnsInOrder,
  'views of entities in the store': entityViewsInStore,
  'links as their readers hear of them': linksTold,
  'matches that are told': matchesTold,
  'relationship types of links': relationshipTypes,
  'single entities for many callers': singleEntities,
  'lists with what they do not show': toldLists,
  'networks and marks': networksAndMarks,
  'look-ups and evidence': lookUps,
  'entities in several audiences': overlappingAudiences,
  'recent entities': recentEntities,
  'scorecards of sources': scorecards,
})
