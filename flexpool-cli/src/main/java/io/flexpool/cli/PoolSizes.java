// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Computes the connections that one instance of an application may open from its configuration: properties, environment
 * variables and options, with keys in any spelling. Sums all data sources. For one reading.
 */
final class PoolSizes {
    /** The size settings of pools: the end of a key in lower case, without dots, dashes and underscores. */
    private static final Pattern SIZE = Pattern.compile("(?<pool>.*?)(?:"
            + "hikari(?:config)?maximumpoolsize|tomcatmaxactive|dbcp2maxtotal|oracleucpmaxpoolsize|druidmaxactive|c3p0maxsize"
            + "|c3p0maxpoolsize|agroalmaxsize|viburpoolmaxsize|r2dbcpoolmaxsize)");

    private static final Pattern QUARKUS = Pattern.compile("quarkusdatasource(?<pool>.*(?:jdbc|reactive))maxsize");
    private static final Pattern QUARKUS_USED = Pattern.compile("quarkusdatasource(?<pool>.*?)(?:jdbcurl|dbkind)");
    private static final Pattern QUARKUS_REACTIVE = Pattern.compile("quarkusdatasource(?<pool>.*?reactive)url");
    private static final Pattern R2DBC_USED = Pattern.compile("(?<pool>spring)r2dbcurl");
    private static final Pattern MICRONAUT =
            Pattern.compile("datasources(?<pool>.+?)(?:maximumpoolsize|maxactive|maxtotal)");
    private static final Pattern MICRONAUT_USED = Pattern.compile("datasources(?<pool>.+?)url");
    private static final Pattern SPRING_USED = Pattern.compile("springdatasource(?:hikari)?(?:jdbc)?url");
    /** The URL of an additional data source beside Spring Boot's: {@code spring.datasource.reporting.url}. */
    private static final Pattern SPRING_NAMED =
            Pattern.compile("(?<pool>springdatasource.+?)(?:configuration|hikari){0,2}(?:jdbc)?url");
    /**
     * The size of a data source bound without its pool's name: {@code app.datasource.configuration.maximum-pool-size}.
     */
    private static final Pattern BOUND =
            Pattern.compile("(?<pool>(?>.*?datasource).*?)(?:configuration)?maximumpoolsize");
    /** The names of an application's own keys that are probably placeholders for the size. */
    private static final Pattern CANDIDATE = Pattern.compile("(?:(?=.*pool).*(?:size|max)|.*maxconn).*");

    private static final Pattern NO_CANDIDATE =
            Pattern.compile(".*(?:min|thread|task|executor|http|redis|lettuce|jedis|kafka|rabbit|mongo|statement).*");
    private static final Pattern NUMBER = Pattern.compile("\\s*\\d+\\s*");
    private static final Pattern OF_POOL = Pattern.compile("flexpoolpools(?<pool>.+)ceiling");
    private static final Pattern URL = Pattern.compile(".*(?:url|jdbcurl)");
    /** Host and port of a URL, or the driver's equivalent, without parameters, which may contain passwords. */
    private static final Pattern SERVER =
            Pattern.compile("jdbc:[a-z0-9+:]+?:(?://|@//|thin:@(?://)?|@)(?:[^@/]*@)?([A-Za-z0-9._,:\\[\\]-]+).*");

    private static final int SPRINGS_DEFAULT = 10;
    private static final int MICRONAUTS_DEFAULT = 10;
    private static final int QUARKUS_DEFAULT = 50;
    private static final int REACTIVE_DEFAULT = 20;
    private static final int KEYCLOAKS_DEFAULT = 100;

    private final Map<String, String> configuration;
    private final Map<String, Integer> pools = new TreeMap<>();
    private final Map<String, Integer> ceilings = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private final TreeSet<String> servers = new TreeSet<>();
    private @Nullable Integer ceiling;
    private @Nullable String candidate;

    /**
     * Reads a configuration.
     *
     * @param configuration keys in any spelling, and values without placeholders
     * @throws IllegalArgumentException if a size is no number
     */
    PoolSizes(Map<String, String> configuration) {
        this.configuration = configuration;
        configuration.forEach(this::read);
        defaults();
    }

    /**
     * One form for all spellings of a key, for example {@code spring.datasource.hikari.maximum-pool-size} and its
     * environment variable.
     */
    static String plain(String key) {
        StringBuilder plain = new StringBuilder(key.length());
        for (char each : key.toLowerCase(Locale.ROOT).toCharArray()) {
            if (Character.isLetterOrDigit(each)) {
                plain.append(each);
            }
        }
        return plain.toString();
    }

    private void read(String key, String value) {
        String plain = plain(key);
        if (plain.equals("flexpoolceiling")) {
            ceiling = Figures.count(key, value);
            return;
        }
        Matcher ofPool = OF_POOL.matcher(plain);
        if (ofPool.matches()) {
            ceilings.put(ofPool.group("pool"), Figures.count(key, value));
            return;
        }
        if (plain.equals("kcdbpoolmaxsize") || plain.equals("dbpoolmaxsize")) {
            pools.put("keycloak", Figures.count(key, value));
            return;
        }
        for (Pattern pattern : List.of(SIZE, QUARKUS, MICRONAUT, BOUND)) {
            Matcher size = pattern.matcher(plain);
            if (size.matches()) {
                pools.merge(
                        pattern == QUARKUS ? "quarkus" + size.group("pool") : size.group("pool"),
                        Figures.count(key, value),
                        Math::max);
                return;
            }
        }
        if (CANDIDATE.matcher(plain).matches()
                && !NO_CANDIDATE.matcher(plain).matches()
                && NUMBER.matcher(value).matches()) {
            candidate = key;
        }
        if (URL.matcher(plain).matches()) {
            Matcher server = SERVER.matcher(value);
            if (server.matches()) {
                servers.add(server.group(1));
            }
        }
    }

    /** Adds the pool's default size for a configured data source without a size. */
    private void defaults() {
        boolean sized = !pools.isEmpty();
        for (String key : configuration.keySet()) {
            String plain = plain(key);
            Matcher quarkus = QUARKUS_USED.matcher(plain);
            Matcher reactive = QUARKUS_REACTIVE.matcher(plain);
            Matcher r2dbc = R2DBC_USED.matcher(plain);
            Matcher micronaut = MICRONAUT_USED.matcher(plain);
            Matcher named = SPRING_NAMED.matcher(plain);
            if (SPRING_USED.matcher(plain).matches()) {
                if (!sized) {
                    byDefault("springdatasource", SPRINGS_DEFAULT, "HikariCP's default of 10");
                }
            } else if (named.matches()
                    && configuration.getOrDefault(key, "").startsWith("jdbc:")
                    && pools.keySet().stream().noneMatch(pool -> pool.startsWith(named.group("pool")))) {
                byDefault(named.group("pool"), SPRINGS_DEFAULT, "HikariCP's default of 10");
            } else if (quarkus.matches()) {
                byDefault("quarkus" + quarkus.group("pool") + "jdbc", QUARKUS_DEFAULT, "Quarkus' default of 50");
            } else if (reactive.matches()) {
                byDefault("quarkus" + reactive.group("pool"), REACTIVE_DEFAULT, "Quarkus' default of 20");
            } else if (r2dbc.matches()) {
                byDefault(r2dbc.group("pool"), SPRINGS_DEFAULT, "the default of R2DBC's pool of 10");
            } else if (micronaut.matches()
                    && !plain.startsWith("datasourceurl")
                    && !pools.containsKey(micronaut.group("pool"))) {
                byDefault(micronaut.group("pool"), MICRONAUTS_DEFAULT, "the default of 10");
            } else if (plain.equals("kcdb") || plain.equals("kcdburl") || plain.equals("kcdburlhost")) {
                if (!pools.containsKey("keycloak")) {
                    byDefault("keycloak", KEYCLOAKS_DEFAULT, "Keycloak's default of 100");
                }
            }
        }
    }

    private void byDefault(String pool, int size, String words) {
        if (pools.putIfAbsent(pool, size) == null) {
            notes.add(words + " is assumed: the data source has no configured size");
        }
    }

    /** The sum over all pools; null without pools. flexpool's ceiling overrides a pool's size. */
    @Nullable
    Integer connections() {
        if (pools.isEmpty() && ceilings.isEmpty()) {
            return ceiling;
        }
        Integer each = ceiling;
        long sum = 0;
        for (int of : ceilings.values()) {
            sum += of;
        }
        // Ceilings belong to pools by name only. A ceiling without a name is assigned to the largest remaining pools.
        List<Integer> others = new ArrayList<>(pools.values());
        others.sort((one, other) -> Integer.compare(other, one));
        for (int index = 0; index < others.size() - ceilings.size(); index++) {
            sum += each == null ? others.get(index) : Math.max(each, 0);
        }
        return (int) Math.min(Figures.MOST, sum);
    }

    /** Whether a pool's size is its default, which an unread file may change. */
    boolean isAssumed() {
        return !notes.isEmpty();
    }

    /** A key of the application that may be the size; null without one. */
    @Nullable
    String candidate() {
        return candidate;
    }

    /** The assumptions, as sentences. */
    List<String> notes() {
        return notes;
    }

    /** The hosts and ports of the data sources' URLs. */
    Set<String> servers() {
        return servers;
    }

    /** Whether a key affects sizes, so that an unreadable value makes the result unknown. */
    static boolean decides(String key) {
        String plain = plain(key);
        return plain.equals("flexpoolceiling")
                || plain.equals("kcdbpoolmaxsize")
                || OF_POOL.matcher(plain).matches()
                || SIZE.matcher(plain).matches()
                || QUARKUS.matcher(plain).matches()
                || MICRONAUT.matcher(plain).matches()
                || BOUND.matcher(plain).matches();
    }
}
