import Fastify from "fastify";
import { findAdmin, listClaims, moveClaim } from "./desk.mjs";

const text = { type: "string" };
const CLAIM = {
  type: "object",
  properties: {
    _id: text,
    createdAt: text,
    user: { type: "object", properties: { _id: text, username: text, mobile: text } },
    purchase: { type: "object", properties: { invest: { type: "number" } } },
    amount: { type: "number" },
    accountNo: text,
    ifsc: text,
    address: text,
    status: text,
    version: { type: "integer" },
    moves: { type: "array", items: text },
  },
};

const app = Fastify({ logger: false });
app.decorateRequest("admin", null);

app.addHook("onRequest", async (request, reply) => {
  request.admin = await findAdmin(request.headers.authorization);
  if (!request.admin) return reply.code(401).send({ code: "session_required" });
});

app.get("/claims", { schema: { response: { 200: { type: "array", items: CLAIM } } } }, (request) =>
  listClaims(request.query),
);

app.put("/claims/:id/status", { schema: { response: { 200: CLAIM } } }, async (request, reply) => {
  const claim = await moveClaim(request.admin, request.ip, request.params.id, request.body.status);
  return claim ?? reply.code(409).send({ code: "claim_cannot_move" });
});

await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
