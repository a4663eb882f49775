import { everyAudienceIsToldItsOwn } from '../../builders/intelligence/audiences/compared.ts'

/** As audiences.test.ts, with more reports and every question of every caller after each round. */
everyAudienceIsToldItsOwn({ rounds: 2, reports: 120, breadth: 'all', whole: true })
