// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the hosts and ports of a JDBC URL. Omits the database's name, because all databases of a server share its
 * connections. Omits any text that could belong to a user or password, because others can read the address in the
 * fleet's store.
 */
final class DatabaseAddress {
    /** The address in a driver's descriptor: {@code (HOST=db1)(PORT=1521)}. */
    private static final Pattern DESCRIBED = Pattern.compile("\\b(host|port)\\s*=\\s*([\\w.-]+)");

    private static final Pattern HOST = Pattern.compile("([\\w.\\\\-]+|\\[[\\da-f:]+])(:\\d+)?");
    /** The address of Oracle's driver: {@code host:port:sid}. */
    private static final Pattern SID = Pattern.compile("(:\\d+):.*");

    private DatabaseAddress() {}

    /**
     * The address in a URL.
     *
     * @param url the URL that a driver reports; null without one
     * @return hosts and ports in lower case, separated by commas; empty if the URL has none, for example for an
     *     embedded database
     */
    static String of(@Nullable String url) {
        String text = url == null ? "" : url.toLowerCase(Locale.ROOT);
        List<String> found = new ArrayList<>();
        Matcher described = DESCRIBED.matcher(text);
        while (text.contains("(") && described.find()) {
            found.add(described.group(2));
        }
        if (found.isEmpty()) {
            for (String each : authority(text).split(",", -1)) {
                String host = SID.matcher(each).replaceFirst("$1");
                if (HOST.matcher(host).matches()) {
                    found.add(host);
                }
            }
        }
        return String.join(",", found);
    }

    /** The text between the slashes and the database's name, or after the last at sign, without parameters. */
    private static String authority(String url) {
        String plain = url.split("[?;]", 2)[0];
        int slashes = plain.indexOf("//");
        int at = plain.lastIndexOf('@');
        if (slashes < 0 && at < 0) {
            return "";
        }
        String rest = plain.substring(Math.max(slashes < 0 ? 0 : slashes + 2, at + 1));
        return rest.split("/", 2)[0];
    }
}
