-- Makes a person an operator, changes what they may do, or ends it (null). Nobody may write the column, so every right in the
-- console has a log entry that names who gave it, and commits with it.
CREATE OR REPLACE FUNCTION set_operator_role(p_user integer, p_role text, p_by text, p_address text, p_user_agent text)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
  IF coalesce(trim(p_by), '') = '' THEN
    RAISE EXCEPTION 'an operator role is given by somebody' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  UPDATE users SET operator_role = p_role WHERE id = p_user;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'user % does not exist', p_user USING ERRCODE = 'foreign_key_violation';
  END IF;
  INSERT INTO action_log (action, details, address, user_agent)
  VALUES ('operator role changed', jsonb_build_object('userId', p_user, 'role', p_role, 'user', p_by), p_address, p_user_agent);
END
$$;
