/** Members as operators see them. */
import type { Member } from "../../domain/people/member.ts";
import { operatorRoleOf } from "../../domain/people/operators.ts";
import type { MEMBER_CLASSES } from "../schemas/admin/admin_classes.ts";
import type { MEMBER } from "../schemas/admin/admin_members.ts";
import type * as z from "zod";
import { isoSeconds } from "./wire.ts";
import type { MemberClasses } from "../../domain/settings.ts";

/** Returns a member without its address. */
export function memberFields(member: Member): Omit<z.infer<typeof MEMBER>, "email"> {
  return {
    uid: member.uid,
    level: member.level,
    group: member.group,
    state: member.state,
    bulk_orders_max: member.bulkOrdersMax,
    open_orders_max: member.openOrdersMax,
    untraded_orders_max: member.untradedOrdersMax ?? 0,
    market_orders_enabled: member.marketOrdersEnabled,
    otp: member.hasTwoFactor,
    operator_role: member.operator?.role ?? null,
    operator_role_active: operatorRoleOf(member) !== null,
    created_at: isoSeconds(member.createdAt),
  };
}

/** Returns the groups and levels that members may have. */
export function classesJson({ groups, levelMax }: MemberClasses): z.infer<typeof MEMBER_CLASSES> {
  return { groups: [...groups], level_max: levelMax };
}
