// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the pools of one application in one view of its settings. Reports nothing that depends on unknown settings.
 */
final class PoolChecks {
    private static final int HIKARI_SIZE = 10;
    private static final int TOMCAT_THREADS = 200;
    private static final Duration HIKARI_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration HIKARI_LIFETIME = Duration.ofMinutes(30);
    /** HikariCP's recommended distance to the server's limit. */
    private static final Duration DISTANCE = Duration.ofSeconds(30);

    /** Spring Boot's pool: {@code spring.datasource.hikari}. */
    private static final String SPRING = "springdatasourcehikari";

    private static final List<String> HIKARI = List.of(
            "maximumpoolsize",
            "minimumidle",
            "connectiontimeout",
            "idletimeout",
            "maxlifetime",
            "leakdetectionthreshold",
            "autocommit",
            "poolname",
            "keepalivetime");

    private static final Pattern OTHER_POOL =
            Pattern.compile(".*(?:druid|tomcat|dbcp|c3p0|r2dbc|redis|jedis|oracleucp).*");
    /** Pool settings directly below {@code spring.datasource}, which Spring Boot 1.4 and newer ignore. */
    private static final Set<String> MISPLACED = Set.of(
            "maximumpoolsize",
            "minimumidle",
            "maxactive",
            "maxidle",
            "minidle",
            "maxwait",
            "initialsize",
            "testonborrow",
            "testwhileidle",
            "connectiontimeout",
            "idletimeout",
            "maxlifetime",
            "leakdetectionthreshold");

    private static final Pattern TIME_LIMITER = Pattern.compile("resilience4jtimelimiter.*timeoutduration");
    private static final Pattern SERVER_LIMIT = Pattern.compile(
            "(?i)(?<![a-z_])(?<name>wait_timeout|idle_session_timeout)=(?<count>\\d{1,9})(?<unit>ms|s|min)?");

    private final Application application;
    private final Application.View view;
    private final Consumer<Finding> report;

    PoolChecks(Application application, Application.View view, Consumer<Finding> report) {
        this.application = application;
        this.view = view;
        this.report = report;
    }

    void run() {
        misplaced();
        for (Map.Entry<String, Setting> pool : pools().entrySet()) {
            judge(pool.getKey(), pool.getValue());
        }
        if (usesJpa() && isServletWeb()) {
            openInView();
        }
    }

    /** The sum of all pools' sizes; empty if one is unknown, or without pools. */
    OptionalInt connections() {
        int sum = 0;
        for (String prefix : pools().keySet()) {
            Setting size = view.at(prefix + "maximumpoolsize");
            OptionalInt known = size == null ? OptionalInt.of(HIKARI_SIZE) : Values.count(size);
            if (known.isEmpty()) {
                return known;
            }
            sum += known.getAsInt();
        }
        return sum == 0 ? OptionalInt.empty() : OptionalInt.of(sum);
    }

    /** The prefixes of HikariCP's settings, each with the setting at which missing ones are reported. */
    private Map<String, Setting> pools() {
        Map<String, Setting> pools = new LinkedHashMap<>();
        Setting url = url(SPRING);
        if (url != null && isSpringsHikari()) {
            pools.put(SPRING, url);
        }
        for (Map.Entry<String, Setting> each : view.settings().entrySet()) {
            for (String name : HIKARI) {
                if (each.getKey().endsWith(name)) {
                    String prefix = each.getKey().substring(0, each.getKey().length() - name.length());
                    if (prefix.contains("hikari") && !OTHER_POOL.matcher(prefix).matches()) {
                        pools.putIfAbsent(prefix, each.getValue());
                    }
                }
            }
        }
        pools.keySet().removeIf(prefix -> isEmbedded(url(prefix)));
        return pools;
    }

    private boolean isSpringsHikari() {
        Setting type = view.at("springdatasourcetype");
        boolean other = type != null && !type.value().toLowerCase(Locale.ROOT).contains("hikari");
        boolean otherFramework =
                (application.names("micronaut-") || application.names("quarkus-")) && !application.names("spring-boot");
        return !other
                && !otherFramework
                && view.at("springdatasourcejndiname") == null
                && view.settings().values().stream()
                        .noneMatch(each -> each.plain().startsWith("springautoconfigureexclude")
                                && each.value().contains("DataSourceAutoConfiguration"))
                && view.settings().keySet().stream()
                        .noneMatch(key -> key.matches("springdatasource(?:druid|tomcat|dbcp2|oracleucp).*"))
                && !application.names("druid")
                && !application.names("tomcat-jdbc");
    }

    private @Nullable Setting url(String prefix) {
        String parent = prefix.replaceFirst("(?:hikari|configuration)$", "");
        for (String name : List.of(prefix + "jdbcurl", parent + "url", parent + "jdbcurl")) {
            Setting url = view.at(name);
            if (url != null) {
                return url;
            }
        }
        return null;
    }

    /** Whether the database is embedded, so that its pool is for tests and examples. */
    static boolean isEmbedded(@Nullable Setting url) {
        // The name of a database may be a variable.
        String value = Values.begun(url);
        return value != null
                && value.matches(
                        "(?i)jdbc:(?:p6spy:|tc:)?(?:h2:(?!tcp|ssl).*|hsqldb:(?!hsql|http).*|derby:(?!//).*|sqlite:.*)");
    }

    private void judge(String prefix, Setting first) {
        Setting size = view.at(prefix + "maximumpoolsize");
        Setting least = view.at(prefix + "minimumidle");
        boolean springs = prefix.equals(SPRING);
        if (size == null && springs && knowsAll()) {
            report.accept(Finding.of(Rule.POOL_SIZE_DEFAULT, first, "no maximum-pool-size is set"));
        }
        OptionalInt most = size == null ? OptionalInt.of(HIKARI_SIZE) : Values.fixedCount(size);
        OptionalInt idle = least == null ? OptionalInt.empty() : Values.fixedCount(least);
        if (least != null && most.isPresent() && idle.isPresent() && idle.getAsInt() < most.getAsInt()) {
            report.accept(Finding.of(
                    Rule.MINIMUM_IDLE,
                    least,
                    "minimum-idle " + idle.getAsInt() + " is less than maximum-pool-size " + most.getAsInt()));
        }
        leak(prefix, first);
        timeout(prefix);
        lifetime(prefix);
        if (springs && usesJpa()) {
            autoCommit(prefix, first);
        }
    }

    /**
     * Whether all settings are known: otherwise a missing setting may be in code, in a profile, or in another place.
     */
    private boolean knowsAll() {
        return elsewhere() == null;
    }

    /** Why a missing setting may be set in another place; null if it cannot. */
    private @Nullable String elsewhere() {
        if (application.ownPools()) {
            return "code makes a pool";
        }
        if (application.unread()) {
            return "a settings file could not be read";
        }
        if (application.hasExpressions()) {
            return "a document has a profile expression";
        }
        if (view.settings().values().stream().anyMatch(PoolChecks::imports)) {
            return "other settings are imported";
        }
        boolean server = view.at("springcloudconfiguri") != null
                || application.names("spring-cloud-starter-config")
                || application.names("spring-cloud-config-client")
                || application.names("nacos-config");
        return server ? "a configuration server is used" : null;
    }

    /** Whether any data source is configured. */
    boolean hasPool() {
        return url(SPRING) != null || view.at("springdatasourcejndiname") != null || !pools().isEmpty();
    }

    /** Whether a data source is configured that is not embedded. */
    boolean hasServer() {
        Setting url = url(SPRING);
        return (url != null && !isEmbedded(url)) || !pools().isEmpty();
    }

    /**
     * The pool's size and the number of threads, for a message, if the pool has no more connections than threads; empty
     * otherwise, or if unknown.
     */
    String smallerThanThreads() {
        OptionalInt connections = connections();
        Setting set = view.at("servertomcatthreadsmax") == null
                ? view.at("servertomcatmaxthreads")
                : view.at("servertomcatthreadsmax");
        OptionalInt threads = set == null ? OptionalInt.of(TOMCAT_THREADS) : Values.count(set);
        boolean known = connections.isPresent()
                && threads.isPresent()
                && isServletWeb()
                && (view.at(SPRING + "maximumpoolsize") != null || knowsAll());
        return known && connections.getAsInt() <= threads.getAsInt()
                ? connections.getAsInt() + " connections, " + threads.getAsInt() + " threads"
                : "";
    }

    /** The unchecked part, as the end of "whether …"; null if all was checked. */
    @Nullable
    String notJudged() {
        String folder = application.folder().toString();
        String where = folder.isEmpty() ? "" : " in " + folder;
        Setting url = url(SPRING);
        if (url == null || isEmbedded(url)) {
            return null;
        }
        if (!isSpringsHikari()) {
            return "the settings of the pool" + where
                    + " are good: lint checks only HikariCP, and they name another pool";
        }
        String elsewhere = elsewhere();
        return elsewhere == null || view.at(SPRING + "maximumpoolsize") != null
                ? null
                : "a pool size is set" + where + ": " + elsewhere;
    }

    /**
     * Whether a setting imports other settings. A file .env is no such import, because it only has variables for
     * placeholders.
     */
    private static boolean imports(Setting setting) {
        return setting.plain().startsWith("springconfigimport")
                && !setting.value().matches("(?:(?:optional:)?file:(?:\\./)?\\.env(?:\\[\\.properties])?[,;]?)*+");
    }

    private void leak(String prefix, Setting at) {
        Setting threshold = view.at(prefix + "leakdetectionthreshold");
        Duration known = Values.duration(threshold);
        boolean off = threshold == null ? knowsAll() : known != null && known.isZero();
        if (off && view.at("flexpoolleakthreshold") == null) {
            Setting where = threshold == null ? at : threshold;
            report.accept(new Finding(
                    Rule.LEAK_DETECTION,
                    where.file(),
                    where.line(),
                    threshold == null ? "no leak-detection-threshold is set" : "leak-detection-threshold is 0",
                    prefix.equals(SPRING) ? Rule.LEAK_DETECTION.instead() : beside(where)));
        }
    }

    /** The key of the threshold beside another key of the same pool. */
    private static String beside(Setting other) {
        int dot = other.key().lastIndexOf('.');
        return (dot < 0 ? "" : other.key().substring(0, dot + 1)) + "leak-detection-threshold=60000";
    }

    private void timeout(String prefix) {
        Setting own = view.at(prefix + "connectiontimeout");
        Duration waits = own == null ? HIKARI_TIMEOUT : Values.duration(own);
        if (waits == null) {
            return;
        }
        for (Map.Entry<String, Setting> each : view.settings().entrySet()) {
            if (each.getKey().equals("springmvcasyncrequesttimeout")
                    || TIME_LIMITER.matcher(each.getKey()).matches()) {
                Duration caller = Values.duration(each.getValue());
                if (caller != null && caller.compareTo(waits) <= 0 && !caller.isZero()) {
                    report.accept(Finding.of(
                            Rule.CONNECTION_TIMEOUT,
                            own == null ? each.getValue() : own,
                            "connection-timeout " + shown(waits) + (own == null ? " (the default)" : "")
                                    + " is not below " + each.getValue().key() + " " + shown(caller)));
                }
            }
        }
    }

    private void lifetime(String prefix) {
        Setting url = url(prefix);
        if (url == null) {
            return;
        }
        Setting own = view.at(prefix + "maxlifetime");
        Duration lifetime = own == null ? HIKARI_LIFETIME : Values.duration(own);
        Duration limit = serverLimit(url.value());
        if (lifetime != null
                && limit != null
                && !limit.isZero()
                && (lifetime.isZero() || lifetime.plus(DISTANCE).compareTo(limit) > 0)) {
            // Without a lifetime HikariCP never closes a connection that is in use regularly.
            report.accept(Finding.of(
                    Rule.MAX_LIFETIME,
                    own == null ? url : own,
                    "max-lifetime " + shown(lifetime)
                            + (own == null ? " (the default)" : lifetime.isZero() ? " (no limit)" : "")
                            + " is too long for the server's limit of " + shown(limit)));
        }
    }

    /** MySQL's or PostgreSQL's limit for idle sessions, if the URL sets it; otherwise null. */
    private static @Nullable Duration serverLimit(String url) {
        Matcher limit = SERVER_LIMIT.matcher(url);
        if (!limit.find()) {
            return null;
        }
        long count = Long.parseLong(limit.group("count"));
        String unit = limit.group("unit");
        if (limit.group("name").equalsIgnoreCase("wait_timeout") || "s".equals(unit)) {
            return Duration.ofSeconds(count);
        }
        return "min".equals(unit) ? Duration.ofMinutes(count) : Duration.ofMillis(count);
    }

    private void autoCommit(String prefix, Setting first) {
        if (!knowsAll() || application.names("eclipselink")) {
            return;
        }
        Setting pools = view.at(prefix + "autocommit");
        Setting promise = view.at("springjpapropertieshibernateconnectionproviderdisablesautocommit");
        if (pools == null || Values.is(pools, "true")) {
            report.accept(Finding.of(
                    Rule.AUTO_COMMIT, pools == null ? first : pools, "auto-commit is on, and Hibernate is used"));
        } else if (Values.is(pools, "false") && (promise == null || Values.is(promise, "false"))) {
            report.accept(Finding.of(
                    Rule.AUTO_COMMIT,
                    promise == null ? pools : promise,
                    "auto-commit is off, but provider_disables_autocommit is not true"));
        }
    }

    private void openInView() {
        Setting set = view.at("springjpaopeninview");
        if (set == null && !knowsAll() && !application.ownPools()) {
            return;
        }
        Setting at = set == null ? firstOfJpa() : set;
        if (at != null && (set == null || Values.is(set, "true"))) {
            report.accept(Finding.of(
                    Rule.OPEN_IN_VIEW, at, set == null ? "open-in-view is on by default" : "open-in-view is on"));
        }
    }

    private @Nullable Setting firstOfJpa() {
        List<Setting> found = new ArrayList<>();
        view.settings().forEach((key, setting) -> {
            if (key.startsWith("springjpa") || key.equals("springdatasourceurl")) {
                found.add(setting);
            }
        });
        return found.isEmpty() ? null : found.get(0);
    }

    private boolean usesJpa() {
        boolean embeddedOnly = isEmbedded(url(SPRING));
        return !embeddedOnly
                && (application.names("spring-boot-starter-data-jpa")
                        || (settingsBegin("springjpa") && !settingsBegin("mybatis")));
    }

    /** JPA settings beside MyBatis settings are often left over; then the build decides. */
    private boolean settingsBegin(String prefix) {
        return view.settings().keySet().stream().anyMatch(key -> key.startsWith(prefix));
    }

    /** Whether the application uses servlets: only there sessions stay open in views. */
    private boolean isServletWeb() {
        Setting type = view.at("springmainwebapplicationtype");
        if (type != null && !Values.is(type, "servlet")) {
            return false;
        }
        Set<String> artifacts = new TreeSet<>();
        application.build().forEach(file -> artifacts.addAll(file.artifacts()));
        return artifacts.contains("spring-boot-starter-web")
                || artifacts.contains("spring-boot-starter-webmvc")
                || artifacts.contains("spring-boot-starter-web-services")
                || artifacts.contains("spring-boot-starter-data-rest");
    }

    private void misplaced() {
        if (application.ownPools() || !isSpringsHikari() || isEmbedded(view.at("springdatasourceurl"))) {
            return;
        }
        for (String name : MISPLACED) {
            Setting at = view.at("springdatasource" + name);
            if (at != null) {
                report.accept(new Finding(
                        Rule.IGNORED_SETTING,
                        at.file(),
                        at.line(),
                        at.key() + " is not read by Spring Boot",
                        "HikariCP's own setting, which begins with spring.datasource.hikari"));
            }
        }
    }

    private static String shown(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }
}
