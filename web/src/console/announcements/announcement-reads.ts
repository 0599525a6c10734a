// What an announcement changes. One of maintenance stops calls.
export const announcementReads = ['announcements', 'current-announcements', 'trunks'] as const
