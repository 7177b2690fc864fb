// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds database passwords written in files. Compares values, but never shows them. */
final class PasswordCheck {
    private static final String DATABASE = "(?=.{0,300}?(?:datasource|hikari|flyway|liquibase|r2dbc|dbconnection))";
    private static final Pattern KEY = Pattern.compile(DATABASE + "(?<of>.{1,300}?)(?:password|passwd)");
    private static final Pattern URL = Pattern.compile(DATABASE + "(?<of>.{1,300}?)(?:jdbc|reactive)?url");
    /** The part of a data source with the settings of its pool. */
    private static final Pattern POOL = Pattern.compile("(?:hikari|configuration)$");
    /** The begin of Quarkus' keys for some profiles, for example {@code %prod.} or {@code %{staging,prod}.}. */
    private static final Pattern PROFILES = Pattern.compile("%(?<names>[\\w-]+|\\{[\\w,-]+})\\.");

    private static final Pattern VARIABLE = Pattern.compile("[A-Z][A-Z0-9_]*");
    private static final Pattern NO_DATABASE =
            Pattern.compile(".*(?:keystore|truststore|console|statviewservlet|login).*");
    private static final Pattern IN_URL = Pattern.compile("(?i)[?&;](?:password|pwd)=([^&;]+)");
    private static final Pattern LOCAL = Pattern.compile(
            "(?i)[^?]*?(?://|@|@//)(?:[^/@]*@)?(?:localhost|127\\.0\\.0\\.1|\\[?::1]?|host\\.docker\\.internal)[:/?;].*");

    /** A host that other machines can reach: a domain name, or an address that is not private. */
    private static final Pattern REMOTE = Pattern.compile(
            "(?i)jdbc:[^?]*?(?://|@)(?!10\\.|127\\.|192\\.168\\.|169\\.254\\.|172\\.(?:1[6-9]|2\\d|3[01])\\.)(?:[\\w-]+\\.)++(?:[a-z]{2,}|\\d{1,3})(?<!\\.local|\\.internal|\\.test|\\.example)(?:[:/;?].*)?");
    /** Placeholder words for a host. */
    private static final Pattern NO_HOST =
            Pattern.compile("(?i)[^?]{0,300}?(?://|@)[^/?]{0,300}?(?:x{3}|your|<|\\*{3}|change).*");

    private PasswordCheck() {}

    static void run(Application application, Consumer<Finding> report) {
        Setting url = null;
        for (Application.View view : application.views()) {
            url = view.at("springdatasourceurl") == null ? url : view.at("springdatasourceurl");
        }
        for (SettingsFile file : application.files()) {
            boolean developers = Application.isForDevelopment(file.profile());
            for (SettingsFile.Document document : file.documents()) {
                if (developers || document.profiles().stream().anyMatch(Application::isForDevelopment)) {
                    Setting own = url(document);
                    if (own != null && REMOTE.matcher(own.value()).matches()) {
                        check(document, own, report);
                    }
                } else {
                    check(document, url, report);
                }
            }
        }
        for (Setting each : application.deployed()) {
            check(each, url, report);
        }
    }

    private static void check(SettingsFile.Document document, @Nullable Setting outer, Consumer<Finding> report) {
        List<Url> urls = new ArrayList<>();
        for (Setting each : document.settings()) {
            Matcher named = URL.matcher(plain(each));
            if (named.matches()) {
                urls.add(new Url(each, dataSource(named), profiles(each)));
            }
        }
        for (Setting each : document.settings()) {
            Setting own = url(urls, each);
            boolean developers = isForDevelopment(profiles(each));
            if (!developers || (own != null && REMOTE.matcher(own.value()).matches())) {
                check(each, own == null ? outer : own, report);
            }
        }
    }

    /** The URL of a data source, by the begin of its key, and the profiles of Quarkus. */
    private record Url(Setting setting, String of, List<String> profiles) {}

    private static String dataSource(Matcher key) {
        return POOL.matcher(key.group("of")).replaceFirst("");
    }

    /** The profiles in a key of Quarkus; empty for all. */
    private static List<String> profiles(Setting setting) {
        Matcher begin = PROFILES.matcher(setting.key());
        return begin.lookingAt()
                ? List.of(begin.group("names").replaceAll("[{}]", "").split(",", -1))
                : List.of();
    }

    private static boolean isForDevelopment(List<String> profiles) {
        return !profiles.isEmpty() && profiles.stream().allMatch(Application::isForDevelopment);
    }

    /** The key for all profiles, as {@link Setting#plain}. */
    private static String plain(Setting setting) {
        return Setting.plain(
                PROFILES.matcher(setting.key()).lookingAt()
                        ? PROFILES.matcher(setting.key()).replaceFirst("")
                        : setting.key());
    }

    private static @Nullable Setting url(SettingsFile.Document document) {
        Setting url = null;
        for (Setting each : document.settings()) {
            if (URL.matcher(plain(each)).matches()) {
                url = each;
            }
        }
        return url;
    }

    /**
     * The URL for a password: that of its own data source, else the last one of the document. One of other profiles is
     * none.
     */
    private static @Nullable Setting url(List<Url> urls, Setting password) {
        Matcher key = KEY.matcher(plain(password));
        if (!key.matches()) {
            return null;
        }
        String of = dataSource(key);
        List<String> profiles = profiles(password);
        Setting url = null;
        int best = -1;
        for (Url each : urls) {
            boolean same = each.profiles().equals(profiles);
            boolean other = !each.profiles().isEmpty()
                    && !same
                    && each.profiles().stream().noneMatch(profiles::contains);
            int fit = (each.of().equals(of) ? 2 : 0) + (same ? 1 : 0);
            if (!other && fit >= best) {
                best = fit;
                url = each.setting();
            }
        }
        return url;
    }

    private static void check(Setting setting, @Nullable Setting url, Consumer<Finding> report) {
        String plain = plain(setting);
        Matcher inUrl = IN_URL.matcher(setting.value());
        String value = null;
        if (isKey(plain)) {
            // A placeholder is no password: its default is usually for developers.
            value = setting.value();
        } else if (plain.endsWith("url") && setting.value().startsWith("jdbc:") && inUrl.find()) {
            value = inUrl.group(1);
            url = setting;
        }
        boolean nowhere = url != null && NO_HOST.matcher(url.value()).matches();
        if (value != null && Values.isPassword(value) && !nowhere && !isLocal(url)) {
            report.accept(new Finding(
                    Rule.PASSWORD, setting.file(), setting.line(), setting.key() + " is set", instead(setting)));
        }
    }

    static boolean isKey(String plain) {
        return KEY.matcher(plain).matches() && !NO_DATABASE.matcher(plain).matches();
    }

    /** The same key with a variable: Spring, Micronaut, Quarkus and Helidon read {@code ${NAME}} from the environment. */
    private static String instead(Setting setting) {
        String key = setting.key();
        if (VARIABLE.matcher(key).matches()) {
            return key + " from a Secret of the platform";
        }
        return isKey(plain(setting)) ? key + "=${DB_PASSWORD}" : "${DB_PASSWORD} in place of the password";
    }

    /** Whether the database is on the developer's machine, or embedded. */
    static boolean isLocal(@Nullable Setting url) {
        String value = Values.known(url);
        return PoolChecks.isEmbedded(url)
                || (value != null && LOCAL.matcher(value + "/").matches());
    }
}
