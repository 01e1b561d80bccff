// The same statements for Express and Fastify, each prepared once by its name.
export const SESSION = {
  name: "session",
  text: `SELECT admins.id, admins.username, sessions.last_seen_at, sessions.expires_at
    FROM sessions JOIN admins ON admins.id = sessions.admin_id
    WHERE sessions.token_hash = $1 AND sessions.ended_at IS NULL AND admins.disabled_at IS NULL`,
};

const COLUMNS = `c.id, c.created_at, u.username, u.mobile, p.invest_paise, c.amount_paise, c.account_no, c.ifsc,
  c.address, c.status, c.user_id, c.version`;
const WITH_USER_AND_PURCHASE = "JOIN users u ON u.id = c.user_id JOIN purchases p ON p.id = c.purchase_id";
const NEWEST_FIRST = "ORDER BY c.created_at DESC, c.id DESC";

// Ordered and limited before the joins; otherwise the planner prepares to join a million rows.
const page = (where) => `SELECT ${COLUMNS}
  FROM (SELECT * FROM claims ${where} ORDER BY created_at DESC, id DESC LIMIT 50) c
  ${WITH_USER_AND_PURCHASE} ${NEWEST_FIRST}`;

export const NEWEST = { name: "newest", text: page("") };
export const OLDER_THAN = { name: "older", text: page("WHERE (created_at, id) < ($1, $2)") };
export const OF_STATUS = { name: "of_status", text: page("WHERE status = $1") };
export const SEARCHED = {
  name: "searched",
  text: `SELECT ${COLUMNS} FROM claims c ${WITH_USER_AND_PURCHASE}
    WHERE c.status = $1
      AND (u.username ILIKE $2 OR u.mobile ILIKE $2 OR c.account_no ILIKE $2 OR c.ifsc ILIKE $2)
    ${NEWEST_FIRST} LIMIT 50`,
};
export const WHOLE = { name: "whole", text: `SELECT ${COLUMNS} FROM claims c ${WITH_USER_AND_PURCHASE} ${NEWEST_FIRST}` };

export const ONE = { name: "one", text: `SELECT ${COLUMNS} FROM claims c ${WITH_USER_AND_PURCHASE} WHERE c.id = $1` };
export const MOVE = {
  name: "move",
  text: `UPDATE claims SET status = $2, version = version + 1, moved_at = now() WHERE id = $1 AND status = $3
    RETURNING version, payout_round`,
};
export const REMEMBER = {
  name: "remember",
  text: `INSERT INTO claim_transitions (id, claim_id, from_status, to_status, moved_by, moved_at, number, payout_round)
    VALUES ($1, $2, $3, $4, $5, now(), $6, $7)`,
};
export const RECORD = {
  name: "record",
  text: `INSERT INTO audit_log (at, actor, address, verb, subject_id, before, after)
    VALUES (now(), $1, $2, 'claim.moved', $3, $4, $5)`,
};

// The intake. Rows are bound as one JSON text, which costs less than an array for each column.
export const KNOWN = {
  name: "known",
  text: `SELECT id, number, external_id, user_id, purchase_id, amount_paise::float8 AS paise, account_no, ifsc, address
    FROM claims WHERE external_id = ANY($1)`,
};
export const FIND_ANSWER = {
  name: "find_answer",
  text: "SELECT asked_hash, answer FROM bench_answers WHERE idempotency_key = $1",
};
export const STORE_ANSWER = {
  name: "store_answer",
  text: "INSERT INTO bench_answers (idempotency_key, asked_hash, answer, created_at) VALUES ($1, $2, $3, now())",
};
export const CLIENTS = { name: "clients", text: "SELECT id FROM users WHERE id = ANY($1)" };
export const OWNERS = { name: "owners", text: "SELECT id, user_id FROM purchases WHERE id = ANY($1)" };
export const ADD = {
  name: "add",
  text: `INSERT INTO claims (id, created_at, user_id, purchase_id, amount_paise, account_no, ifsc, address, status, external_id)
    SELECT id, now(), "user", purchase, paise, "accountNo", ifsc, address, 'Pending', "externalId"
    FROM json_to_recordset($1) AS row (id text, "user" text, purchase text, paise bigint, "accountNo" text, ifsc text,
      address text, "externalId" text) RETURNING id, number`,
};
export const RECORD_ALL = {
  name: "record_all",
  text: `INSERT INTO audit_log (at, actor, address, verb, subject_id, after)
    SELECT now(), $1, $2, 'claim.added', id, json_build_object('externalId', "externalId", 'accountNo', "accountNo",
      'ifsc', ifsc, 'amount', amount)
    FROM json_to_recordset($3) AS row (id text, "externalId" text, "accountNo" text, ifsc text, amount numeric)`,
};
