import type { words as en } from './words.en.ts'

export const words: typeof en = {
  title: 'Журнал действий',
  lead: 'Кто, что и откуда изменил. Записи нельзя править; цепочка хешей покажет, если кто-то это сделал.',
  csv: 'CSV',
  action: 'Действие содержит',
  who: 'Кто',
  account: 'ID клиента',
  search: 'Найти',
  clear: 'Сбросить',
  heads: {
    time: 'Время',
    who: 'Кто',
    action: 'Действие',
    customer: 'Клиент',
    details: 'Подробности',
    address: 'Адрес',
  },
  nobody: 'командная строка',
  older: 'Раньше',
  none: 'Ничего не найдено.',
  noneText: 'Уберите условие.',
  empty: 'Пока ничего не менялось',
  emptyText: 'Здесь появится каждое изменение оператора сервиса или людей из аккаунта клиента.',
  chain: 'Цепочка хешей',
  chainLead:
    'Последнее звено каждой базы раз в минуту попадает в лог процесса keeper. С такой строкой команда ringproof audit verify находит изменённую, удалённую и отрезанную запись.',
  link: (database, sequence) => `База ${database}, звено ${sequence}`,
  notChained: (database) => `База ${database}: звеньев ещё нет`,
  chained: (ago) => `добавлено ${ago}`,
}
