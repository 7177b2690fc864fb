// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.Words;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The meaning of a written key, and the probable meaning of an unknown key. Immutable. */
final class WrittenKey {
    /** Begins the key of a pool's own section. */
    static final String POOLS = "pools.";

    private static final String SECTION = "pools";
    static final String ROOT = "flexpool";
    /** Stands for a pool's name in a hint. */
    private static final String NAME = "<name>";
    /** A longer text is not compared: it is no misspelt key, and the comparison is quadratic. */
    private static final int LONGEST = 300;

    private final Collection<String> known;

    /** Takes the known keys, without prefix. */
    WrittenKey(Collection<String> known) {
        this.known = known;
    }

    /** A key of a pool's own section. */
    record OfPool(String pool, String key) {}

    /**
     * The key of a pool's own section after {@code flexpool.}; null for other keys. A pool's name may hold dots, so the
     * longest known key at the end counts.
     */
    @Nullable
    OfPool ofPool(String rest) {
        if (!rest.startsWith(POOLS)) {
            return null;
        }
        String section = rest.substring(POOLS.length());
        for (int dot = section.indexOf('.', 1); dot > 0; dot = section.indexOf('.', dot + 1)) {
            String key = section.substring(dot + 1);
            String pool = section.substring(0, dot);
            if (isOfOne(key) && !isNoName(pool)) {
                return new OfPool(pool, key);
            }
        }
        return null;
    }

    /**
     * The key of an environment variable, without {@code flexpool.}; null without one. A variable has neither hyphens
     * nor dots, so a pool's name is found by its letters and digits.
     *
     * @param pool the pool that is built
     */
    @Nullable
    String ofVariable(String variable, String pool) {
        String name = AbsentKeys.relaxed(variable).substring(ROOT.length());
        String common = relaxed(name);
        if (common != null) {
            return common;
        }
        for (int from = SECTION.length() + 1; name.startsWith(SECTION) && from < name.length(); from++) {
            String key = relaxed(name.substring(from));
            if (key != null) {
                String section = name.substring(SECTION.length(), from);
                return POOLS + (section.equals(AbsentKeys.relaxed(pool)) ? pool : section) + "." + key;
            }
        }
        return null;
    }

    /** Whether a pool's section can have a key. */
    private boolean isOfOne(String key) {
        return known.contains(key) && !key.equals(CoreKey.NAME.key().name());
    }

    /** Whether a section names no pool: there are no patterns, and no pool has a placeholder for a name. */
    private static boolean isNoName(String pool) {
        return pool.isEmpty() || pool.equals("*") || Refusals.placeholder(pool) != null;
    }

    private @Nullable String relaxed(String name) {
        for (String key : known) {
            if (AbsentKeys.relaxed(key).equals(name)) {
                return key;
            }
        }
        return null;
    }

    /** The message on an unknown key, with a similar known key, if any, under the written prefix. */
    String unknown(String written) {
        int dot = written.indexOf('.');
        String root = dot < 0 ? written : written.substring(0, dot);
        String rest = dot < 0 ? "" : written.substring(dot + 1);
        String missing = root.equals(ROOT) ? AbsentKeys.missing(rest, known) : null;
        if (missing != null) {
            return missing;
        }
        if (written.length() > LONGEST) {
            return "no such key";
        }
        boolean own = Words.alike(root, ROOT);
        Guess best = guess(own ? rest : written);
        if (root.equals(ROOT) && best.meant().equals(rest)) {
            return "no such key; " + ConfigReader.PREFIX + CoreKey.CLASSES.key().name() + " must name this class";
        }
        // Another program's key, unless only the prefix is missing.
        if (own ? best.near() : 3 * best.distance() <= written.length()) {
            return "no such key; the nearest is " + Refusals.shown("", ConfigReader.PREFIX + best.meant());
        }
        return own ? "no such key" : "unknown key: flexpool's keys begin with " + ConfigReader.PREFIX;
    }

    private Guess guess(String rest) {
        Guess best = nearest("", rest);
        int dot = rest.indexOf('.');
        String first = rest.substring(0, Math.max(dot, 0));
        String section = rest.substring(dot + 1);
        boolean ofPool = Words.alike(first, SECTION);
        boolean ofOne = !best.near() && known.stream().noneMatch(key -> key.startsWith(first));
        if (isOfOne(section) && (ofPool || ofOne)) {
            // The name of the pool is missing, or the word before it.
            return new Guess(POOLS + (ofPool ? NAME : first) + "." + section, 0, 0);
        }
        // Any part of the text may be the pool's name.
        for (int end = section.indexOf('.'); ofPool && end >= 0; end = section.indexOf('.', end + 1)) {
            String pool = isNoName(section.substring(0, end)) ? NAME : section.substring(0, end);
            Guess other = nearest(POOLS + pool + ".", section.substring(end + 1));
            best = other.distance() < best.distance() ? other : best;
        }
        return best;
    }

    private Guess nearest(String prefix, String rest) {
        List<String> here = new ArrayList<>(known);
        if (!prefix.isEmpty()) {
            here.remove(CoreKey.NAME.key().name());
        }
        int dot = rest.indexOf('.');
        if (dot > 0
                && Words.alike(rest.substring(0, dot), CoreKey.CLASSES.key().name())
                && !Words.alike(rest, Words.nearest(rest, here))) {
            // The keys of a class that is not named.
            String name = rest.substring(dot + 1, Math.max(dot, rest.lastIndexOf('.')) + 1);
            ClassSettings.KEYS.forEach(key -> here.add(ClassSettings.PREFIX + name + key.name()));
        }
        String meant = Words.nearest(rest, here);
        return new Guess(prefix + meant, Words.distance(rest, meant), rest.length());
    }

    /** The probable meaning of an unknown key, and the length of the text in which characters differ. */
    private record Guess(String meant, int distance, int length) {
        /** Whether at least half of the text is correct. */
        boolean near() {
            return distance <= Math.max(1, length / 2);
        }
    }
}
