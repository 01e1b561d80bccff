// The application without a framework: authentication, reads and changes.
import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import * as sql from "./sql.mjs";

// Integers of up to fifteen digits: a double holds them exactly, so they need not be passed as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export const pool = new pg.Pool({ max: 10 });
const MOVES = {
  Pending: ["Accepted", "On hold", "Rejected"],
  Accepted: ["Paid", "Pending", "On hold", "Rejected"],
  Paid: ["Returned"],
  "On hold": ["Pending", "Rejected"],
  Rejected: [],
  Returned: ["Accepted", "On hold", "Rejected"],
};
const SOURCE = { Accepted: "Pending", Paid: "Accepted" };

export const query = async (statement, values, on = pool) => (await on.query({ ...statement, values })).rows;

export async function findAdmin(authorization) {
  if (!authorization?.startsWith("Bearer ")) return null;
  const [session] = await query(sql.SESSION, [createHash("sha256").update(authorization.slice(7)).digest()]);
  return session && session.expires_at > new Date() ? session : null;
}

const toClaim = (row) => ({
  _id: row.id,
  createdAt: row.created_at.toISOString(),
  user: { _id: row.user_id, username: row.username, mobile: row.mobile },
  purchase: { invest: row.invest_paise / 100 },
  amount: row.amount_paise / 100,
  accountNo: row.account_no,
  ifsc: row.ifsc,
  address: row.address,
  status: row.status,
  version: row.version,
  moves: MOVES[row.status],
});

const withoutWildcards = (text) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

export async function listClaims({ limit, before, q, status }) {
  let rows;
  if (!limit) rows = await query(sql.WHOLE, []);
  else if (q) rows = await query(sql.SEARCHED, [status, withoutWildcards(q)]);
  else if (status) rows = await query(sql.OF_STATUS, [status]);
  else if (before) rows = await query(sql.OLDER_THAN, before.split("~"));
  else rows = await query(sql.NEWEST, []);
  return rows.map(toClaim);
}

export const newId = () => Math.floor(Date.now() / 1000).toString(16).padStart(8, "0") + randomBytes(8).toString("hex");

// The moved claim, or null if it did not have the expected status.
export async function moveClaim(admin, address, id, target) {
  const source = SOURCE[target];
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const [moved] = await query(sql.MOVE, [id, target, source], client);
    if (!moved) {
      await client.query("ROLLBACK");
      return null;
    }
    const { version, payout_round } = moved;
    await query(sql.REMEMBER, [newId(), id, source, target, admin.username, version, payout_round], client);
    const before = { status: source, version: version - 1 };
    await query(sql.RECORD, [admin.username, address, id, before, { status: target, version }], client);
    const [row] = await query(sql.ONE, [id], client);
    await client.query("COMMIT");
    return toClaim(row);
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}
