// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.FleetRules;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartContext.PoolLimit;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import io.flexpool.spi.Texts;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Makes a pool a member of its configured fleet. Found by {@link java.util.ServiceLoader}; not meant to be called. */
public final class FleetPartProvider implements PoolPartProvider {
    /** The store of a fleet. */
    enum Store {
        /** The pool is in no fleet. */
        OFF,
        POSTGRESQL,
        /** MySQL and MariaDB. */
        MYSQL,
        REDIS,
        /** Pools of this JVM only. */
        LOCAL
    }

    /** The part's name. */
    static final String PART = "fleet";

    private static final String AUTO = "auto";
    private static final int LONGEST_NAME = 100;

    static final PartKey<Store> FLEET = PartKey.choice(
            "fleet",
            Store.OFF,
            "Where the members of a fleet store how many connections each may open: in the database itself, in Redis, or"
                    + " in this JVM only.");

    static final PartKey<String> NAME = PartKey.text(
                    "fleet.name",
                    "1 to 100 characters, not blank, no control or invisible characters",
                    "Name of the fleet: all pools with this name in the same store share one maximum. In Redis they must also"
                            + " use the same database server.")
            .or("default", "the name default; must be given with fleet = redis")
            .needing("fleet");

    static final PartKey<String> MAX = PartKey.text(
                    "fleet.max",
                    "auto, or from 2 to " + FleetRules.MOST,
                    "How many physical connections all members of the fleet may have open together. auto: 90 % of the"
                            + " sessions that other clients leave free, a number read each minute. A reserve of 5 %,"
                            + " at least 1, is never granted.")
            .orElse("none; must be given with fleet")
            .needing("fleet");

    static final PartKey<Integer> INSTANCES_MAX = PartKey.count(
                    "fleet.instances-max",
                    1,
                    FleetRules.MOST,
                    "How many members the fleet has at most, including both revisions in a rolling update. While the store"
                            + " fails, each member may have an equal share of fleet.max.")
            .orElse("none; must be given with fleet")
            .needing("fleet");

    static final PartKey<String> URI = PartKey.text(
                    "fleet.uri",
                    "a URI of the store's driver, for example redis://host:6379",
                    "Where the store is, if it is not the database. Its password is never logged or shown.")
            .needing("fleet");

    static final PartKey<Boolean> CREATE_TABLES = PartKey.flag(
                    "fleet.create-tables",
                    false,
                    "Whether flexpool creates missing tables of the store. Otherwise a migration script must create them.")
            .needing("fleet");

    /** Called by the service loader. */
    public FleetPartProvider() {}

    @Override
    public String name() {
        return PART;
    }

    /** Runs before other parts read the limit. */
    @Override
    public int order() {
        return -50;
    }

    @Override
    public List<PartKey<?>> keys() {
        return List.of(FLEET, NAME, MAX, INSTANCES_MAX, URI, CREATE_TABLES);
    }

    @Override
    public boolean limits(PartSettings settings) {
        return settings.need(FLEET) != Store.OFF;
    }

    @Override
    public OptionalInt firstCap(PartSettings settings) {
        return limits(settings) ? OptionalInt.of(FleetRules.BOOT) : OptionalInt.empty();
    }

    @Override
    public void check(PartSettings settings, PartSettings.Refusals refusals) {
        Store store = settings.need(FLEET);
        if (store == Store.OFF) {
            return;
        }
        for (PartKey<?> needed : List.<PartKey<?>>of(MAX, INSTANCES_MAX)) {
            if (!settings.given(needed.name())) {
                refusals.missing(needed, "must be given with fleet", FLEET);
            }
        }
        if (store == Store.REDIS && !settings.given(NAME.name())) {
            // Other applications use the same Redis too.
            refusals.missing(NAME, "must be given with fleet = redis", FLEET);
        }
        String name = settings.need(NAME);
        if (name.isBlank() || name.length() > LONGEST_NAME || !Texts.isLine(name)) {
            refusals.refuse(NAME, name, "must be " + NAME.key().allowed());
        }
        settings.get(MAX).ifPresent(given -> checkMax(given, settings, refusals));
        if (settings.given("sizing.instances")) {
            refusals.refuse("sizing.instances", "cannot be combined with fleet, which divides the connections");
        }
        if (store == Store.LOCAL && settings.given(URI.name())) {
            String rule = "must be left out with fleet = local, which has no store outside this JVM";
            refusals.refuse(URI, settings.get(URI).orElseThrow(), rule);
        }
        if (FleetStores.find(Texts.word(store)) == null) {
            refusals.refuse(
                    FLEET,
                    Texts.word(store),
                    "needs the module flexpool-fleet" + (store == Store.REDIS ? "-redis" : "") + " on the class path");
        }
    }

    private static void checkMax(String given, PartSettings settings, PartSettings.Refusals refusals) {
        Integer cap = number(given);
        if (isAuto(given)) {
            checkAuto(settings, refusals);
        } else if (cap == null || cap < 2 || cap > FleetRules.MOST) {
            refusals.refuse(MAX, given, "must be " + MAX.key().allowed());
        }
    }

    /**
     * Only refuses a disabled server view. Whether a part can read the server is known later, and until then no
     * connection is granted.
     */
    private static void checkAuto(PartSettings settings, PartSettings.Refusals refusals) {
        if (settings.words("server-view").filter("off"::equals).isPresent()) {
            refusals.refuse(MAX, AUTO, "needs server-view = auto or always");
        }
    }

    private static boolean isAuto(String given) {
        return given.strip().equals(AUTO);
    }

    /** The given cap; null if it is no number: either {@code auto}, or refused. */
    static @Nullable Integer number(String given) {
        return Texts.wholeNumber(given.strip());
    }

    @Override
    public @Nullable PoolPart create(PartContext context) {
        PoolLimit limit = context.limit();
        return limit == null || !limits(context.settings()) ? null : FleetPart.of(context, limit);
    }
}
