import { everyAudienceIsToldItsOwn } from '../../builders/intelligence/audiences/compared.ts'

/** Random reports to overlapping groups: what every caller is told equals what follows from the reports it may read. */
everyAudienceIsToldItsOwn({ rounds: 2, reports: 80, breadth: 'some', whole: false })
