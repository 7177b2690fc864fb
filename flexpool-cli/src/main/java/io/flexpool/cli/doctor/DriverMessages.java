// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import java.util.regex.Pattern;

/** Recognises the messages of drivers and servers about failed connects, in the languages of their catalogs. */
final class DriverMessages {
    /** PostgreSQL's translated messages, from its catalogs: the language is that of lc_messages. */
    private static final String FULL_ELSEWHERE = "schon zu viele Verbindungen|die verbleibenden Verbindungen sind für"
            + "|trop de clients sont déjà connectés|les emplacements de connexions restants"
            + "|ya tenemos demasiados clientes|las conexiones restantes están reservadas"
            + "|troppi client già connessi|i rimanenti slot di connessione"
            + "|уже слишком много клиентов|оставшиеся слоты подключений"
            + "|現在クライアント数が多すぎます|残りの接続スロット|已经有太多的客户|已保留的连接位置";

    private static final String STARTS_ELSEWHERE = "das Datenbanksystem (?:startet|fährt herunter)"
            + "|le système de bases? de données (?:se lance|s'arrête)"
            + "|el sistema de base de datos está (?:iniciándose|apagándose)|il database si sta (?:avviando|spegnendo)"
            + "|система баз данных (?:запускается|останавливается)"
            + "|データベースシステムは(?:起動処理中です|シャットダウンしています)|数据库系统(?:启动中|停止中)";

    private static final Pattern FULL = Pattern.compile(
            "(?i)" + FULL_ELSEWHERE
                    + "|too many clients already|remaining connection slots are reserved|ORA-00018|ORA-12516|ORA-12519|ORA-12520");
    /** The server refuses the user, the password or the database. */
    private static final Pattern REFUSED_LOGIN = Pattern.compile("password authentication failed for user"
            + "|FATAL: (?:role|database) \".{1,100}\" (?:does not exist|is not permitted to log in)|no pg_hba\\.conf entry for"
            + "|Access denied for user .{1,200}\\(using password: |Login failed for user '|ORA-01017|ORA-28000"
            + "|Passwort-Authentifizierung für Benutzer .{1,100} fehlgeschlagen"
            + "|authentification par mot de passe échouée pour l'utilisateur"
            + "|la autentificación password falló para el usuario"
            + "|autenticazione con password fallita per l'utente"
            + "|не прошёл проверку подлинности \\(по паролю\\)|パスワード認証に失敗しました|Password 认证失败");

    private static final Pattern UNREACHABLE = Pattern.compile(
            "Connection to \\S+ refused\\. Check that the hostname|Communications link failure|The connection attempt failed"
                    + "|the database system is (?:starting up|shutting down)|ORA-12541|" + STARTS_ELSEWHERE
                    + "|ORA-12514|Socket fail to connect to host");
    /**
     * Messages of clients of any server. They count as a driver's if the line, its trace or the trace's first line
     * refers to JDBC.
     */
    private static final Pattern UNREACHABLE_ANY = Pattern.compile(
            "UnknownHostException|No route to host|java\\.net\\.(?:ConnectException|NoRouteToHostException)");

    /** MySQL and MariaDB write in the language of their lc_messages, too: as their catalogs have it. */
    private static final Pattern FULL_ANY =
            Pattern.compile("Too many connections|Zu viele Verbindungen|Trop de connexions|Demasiadas conexiones"
                    + "|Troppe connessioni|Te veel verbindingen|Excesso de conexões|Příliš mnoho spojení|Zbyt wiele poł.czeń"
                    + "|För många anslutningar|For mange forbindelser|Слишком много соединений|Забагато з'єднань"
                    + "|接続が多すぎます|너무 많은 연결|太多连接");

    /** PostgreSQL's driver translates its messages, by the JVM's language. Other programs may have the same ones. */
    private static final Pattern UNREACHABLE_ELSEWHERE =
            Pattern.compile("Der Verbindungsversuch schlug fehl|La tentative de connexion a échoué"
                    + "|El intento de conexión falló|Il tentativo di connessione è fallito|A tentativa de conexão falhou"
                    + "|Pokus o připojení selhal|Próba nawiązania połączenia nie powiodła się|Pokušaj konektovanja propao"
                    + "|Bağlantı denemesi başarısız oldu|Опита за връзка бе неуспешен|Не удалось подключиться"
                    + "|Подключение по адресу \\S+ отклонено|への接続が拒絶されました|接続試行は失敗しました"
                    + "|에 대한 연결이 거부되었습니다|연결 시도가 실패했습니다|尝试连线已失败|嘗試連線已失敗");

    private static final Pattern JDBC = Pattern.compile("SQL|[jJ]dbc|JDBC|[hH]ikari");

    private DriverMessages() {}

    /** Whether a driver's message means that the server has no session left. */
    static boolean isFull(String message) {
        return FULL.matcher(message).find() || FULL_ANY.matcher(message).find();
    }

    /** Whether an exception of a driver, or its cause, means that the server is unreachable. */
    static boolean isUnreachable(String message) {
        return UNREACHABLE.matcher(message).find()
                || REFUSED_LOGIN.matcher(message).find()
                || UNREACHABLE_ELSEWHERE.matcher(message).find()
                || UNREACHABLE_ANY.matcher(message).find();
    }

    /** Whether a line certainly means that a database has no session left. */
    static boolean isFullDatabase(String line) {
        return FULL.matcher(line).find();
    }

    /** Whether a line means that some server has no connection left. */
    static boolean isFullServer(String line) {
        return FULL_ANY.matcher(line).find();
    }

    /** Whether a line certainly means that a database is unreachable or refuses the login. */
    static boolean isUnreachableDatabase(String line) {
        return UNREACHABLE.matcher(line).find() || REFUSED_LOGIN.matcher(line).find();
    }

    /** Whether a line in another language means that some server is unreachable. */
    static boolean isUnreachableElsewhere(String line) {
        return UNREACHABLE_ELSEWHERE.matcher(line).find();
    }

    /** Whether a line means that a client's server is unreachable, whatever the client is. */
    static boolean isUnreachableServer(String line) {
        return UNREACHABLE_ANY.matcher(line).find();
    }

    static boolean refersToJdbc(String line) {
        return JDBC.matcher(line).find();
    }
}
